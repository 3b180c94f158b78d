// A headless Firefox, driven over WebDriver BiDi by puppeteer-core, which the reference tools have; TINTYPE_FIREFOX names another program.
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from './native.js';

export class Firefox {
  #started;

  constructor() {
    const puppeteer = createRequire(path.join(root, 'target/reference/index.js'))('puppeteer-core');
    this.#started = puppeteer.launch({ browser: 'firefox', executablePath: process.env.TINTYPE_FIREFOX ?? '/usr/bin/firefox-esr', headless: true, timeout: 300_000, protocolTimeout: 600_000 });
  }

  async page() {
    const page = await (await this.#started).newPage();
    return { open: (url) => page.goto(url), value: (expression) => page.evaluate(expression) };
  }

  async close() {
    await (await this.#started).close();
  }
}
