// A headless Chromium, driven by its DevTools protocol over a pipe: just enough to use a page as a person does.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Milliseconds after which a wait gives up: a guard against hanging, not a measure. */
const PATIENCE_MS = 60_000;
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-extensions',
  '--disable-background-networking', '--disable-sync', '--mute-audio', '--force-color-profile=srgb', '--disable-renderer-backgrounding'];

export class Browser {
  #child;
  #profile = mkdtempSync(path.join(tmpdir(), 'tintype-chromium-'));
  #asked = new Map();
  #next = 0;
  #rest = '';

  constructor(more = [], program = process.env.TINTYPE_CHROMIUM ?? 'chromium') {
    const flags = [...FLAGS, ...more, '--remote-debugging-pipe', `--user-data-dir=${this.#profile}`, 'about:blank'];
    this.#child = spawn(program, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.#child.on('error', (error) => this.#asked.forEach(({ failed }) => failed(error)));
    this.#child.stdio[4].setEncoding('utf8').on('data', (text) => this.#take(text));
  }

  #take(text) {
    const parts = (this.#rest + text).split('\0');
    this.#rest = parts.pop();
    for (const part of parts) {
      const { id, result, error } = JSON.parse(part);
      const asked = this.#asked.get(id);
      this.#asked.delete(id);
      if (error) asked?.failed(new Error(`${asked.method}: ${error.message}`));
      else asked?.done(result);
    }
  }

  call(method, params = {}, sessionId) {
    return new Promise((done, failed) => {
      const id = (this.#next += 1);
      this.#asked.set(id, { done, failed, method });
      this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** A window of that size. */
  async page(width = 800, height = 700) {
    const { targetId } = await this.call('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.call('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page((method, params) => this.call(method, params, sessionId));
    await page.call('Page.enable');
    await page.call('Runtime.enable');
    await page.call('Emulation.setFocusEmulationEnabled', { enabled: true });
    await page.call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    return page;
  }

  async close() {
    const ended = new Promise((done) => { this.#child.on('exit', done); });
    await this.call('Browser.close').catch(() => this.#child.kill());
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  constructor(call) {
    this.call = call;
  }

  async open(url) {
    const { errorText } = await this.call('Page.navigate', { url });
    if (errorText) throw new Error(`${url}: ${errorText}`);
    await this.until('document.readyState === "complete"');
  }

  /** The value of an expression, for which it waits. */
  async value(expression) {
    const { result, exceptionDetails } = await this.call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, userGesture: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }

  async until(expression) {
    const end = Date.now() + PATIENCE_MS;
    while (!(await this.value(expression))) {
      if (Date.now() > end) throw new Error(`never true: ${expression}`);
      await new Promise((done) => { setTimeout(done, 20); });
    }
  }

  async drag([x, y], [dx, dy], more = {}) {
    const at = (type, k, buttons) => this.call('Input.dispatchMouseEvent', { type, x: x + dx * k, y: y + dy * k, button: 'left', buttons, clickCount: 1, ...more });
    await at('mouseMoved', 0, 0);
    await at('mousePressed', 0, 1);
    for (const k of [0.25, 0.5, 0.75, 1]) await at('mouseMoved', k, 1);
    await at('mouseReleased', 1, 0);
  }

  wheel([x, y], deltaY) {
    return this.call('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX: 0, deltaY });
  }

  async touch(kind, points) {
    await this.call('Input.dispatchTouchEvent', { type: kind, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  }

  async key(key, code = key === ' ' ? 32 : 0) {
    const text = key.length === 1 ? { text: key } : {};
    await this.call('Input.dispatchKeyEvent', { type: text.text ? 'keyDown' : 'rawKeyDown', key, windowsVirtualKeyCode: code, ...text });
    await this.call('Input.dispatchKeyEvent', { type: 'keyUp', key, windowsVirtualKeyCode: code });
  }

  prefer(name, value) {
    return this.call('Emulation.setEmulatedMedia', { features: [{ name, value }] });
  }

  async screenshot() {
    return Buffer.from((await this.call('Page.captureScreenshot', { format: 'png' })).data, 'base64');
  }
}
