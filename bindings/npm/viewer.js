// <tintype-viewer src="hero.glb" clip="Walk">: a model that turns, drawn by tintype in a worker. What is shown when it is still is the
// picture that `tintype render` draws of `await viewer.toScene()`. Importing it where there is no page does nothing.

const STYLE = `
:host { display: inline-flex; flex-direction: column; width: 512px; max-width: 100%; vertical-align: top; font: 14px/1.4 system-ui, sans-serif; }
:host([hidden]) { display: none; }
.view { position: relative; flex: 1 1 auto; min-height: 0; aspect-ratio: var(--aspect, 1); background: #8884; overflow: hidden; outline-offset: 2px; }
.view:focus-visible { outline: 2px solid #1a73e8; }
canvas, .poster, .poster img { display: block; position: absolute; width: 100%; height: 100%; object-fit: contain; }
canvas { touch-action: pan-y; cursor: grab; }
.poster { pointer-events: none; }
.poster[hidden], .poster img[hidden] { display: none; }
canvas:active { cursor: grabbing; }
.bar { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding: 6px 0; }
.bar[hidden] { display: none; }
input[type=range] { flex: 1 1 120px; min-width: 80px; }
button, select { font: inherit; min-height: 32px; min-width: 32px; max-width: 14em; }
output { font-variant-numeric: tabular-nums; min-width: 4.5em; }
.error { position: absolute; inset: 0; margin: 0; padding: 12px; overflow: auto; background: #fff; color: #8c1d18; white-space: pre-wrap; }
.error[hidden] { display: none; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

const KEYS = 'Arrow keys turn the view, with Shift they move it; plus and minus zoom; 0 goes back to the first view; space plays and pauses.';

/** Milliseconds after the last motion at which a view is still. */
const STILL_MS = 140;
/** Milliseconds that a picture may take while it moves: 30 a second. */
const MOVING_MS = 33;
/** Sizes of pictures while they move, as shares of the whole. */
const SCALES = [1, 0.75, 0.5, 0.375, 0.25, 0.125];
const MOST_SIDE = 2048;
const TURN_DEG = 5;
const DEG_PER_PIXEL = 0.4;
const WHEEL = 0.0015;
const STEEPEST_DEG = 89;

const RAD = Math.PI / 180;
const round = (value) => Number(value.toPrecision(7));
const LESS = '(prefers-reduced-motion: reduce)';
/** Sides of a model by eighths of a turn of the camera, counter-clockwise from above. */
const SIDES = ['front', 'front left', 'left', 'back left', 'back', 'back right', 'right', 'front right'];

const script = globalThis.document?.currentScript?.src;

/** The address of `tintype.wasm`: beside this file, or beside the script where a bundle knows no address of its modules. */
function besideThis() {
  try {
    return new URL('./tintype.wasm', import.meta.url);
  } catch {
    return new URL('tintype.wasm', script ?? location.href);
  }
}

function started() {
  try {
    return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  } catch (cause) {
    const address = new URL('worker.js', besideThis());
    if (!address.protocol.startsWith('http')) throw cause;
    // A script of another origin is brought by one of this page.
    const text = `import ${JSON.stringify(address.href)};`;
    return new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })), { type: 'module' });
  }
}

/** Where workers and the module come from. */
let engine = { worker: started, module: () => compiled(fetch(besideThis())) };
let module;

async function compiled(source) {
  source = await source;
  if (!(source instanceof Response)) return WebAssembly.compile(source);
  const bytes = new Uint8Array(source.ok ? await source.arrayBuffer() : 0);
  // A server may answer a missing file with its page.
  if (String(bytes.subarray(0, 4)) === '0,97,115,109') return WebAssembly.compile(bytes);
  const help = source.url.includes('/.vite/') ? "name 'tintype' in optimizeDeps.exclude of Vite" : 'copy tintype.wasm from the package there';
  throw new Error(`${source.url}: ${source.ok ? 'not a WebAssembly file' : source.status}; ${help}`);
}

/** Takes the package from memory, for pages that are opened as files: the texts of index.js and worker.js, and the bytes of tintype.wasm. */
export function embed({ index, worker, wasm }) {
  // A file may start no worker of modules.
  const plain = index.replace(/^export /gm, '').replaceAll('import.meta.url', 'self.location.href');
  const text = `${plain}\n${worker.replace(/^import .*$/m, '')}`;
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  engine = { worker: () => new Worker(address), module: () => compiled(wasm) };
  module = undefined;
}

/** A worker, and its answers. */
class Drawer {
  #worker;
  #asked = new Map();
  #next = 0;

  static async start() {
    module ??= engine.module();
    module.catch(() => { module = undefined; });
    const drawer = new Drawer(await module);
    return drawer;
  }

  constructor(compiledModule) {
    try {
      this.#worker = engine.worker();
    } catch (cause) {
      throw new Error(`the worker cannot start: ${cause.message}${location.protocol === 'file:' ? '; pages opened from disk need embed() from the package' : ''}`);
    }
    this.#worker.onmessage = ({ data: { id, answer, error } }) => {
      const { done, failed } = this.#asked.get(id);
      this.#asked.delete(id);
      if (error) failed(Object.assign(new Error(error.message), error));
      else done(answer);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault?.();
      const error = new Error(`the worker stopped: ${event.message ?? 'its script cannot be loaded'}`);
      this.#asked.forEach(({ failed }) => failed(error));
      this.#asked.clear();
    };
    this.ask('init', { module: compiledModule }).catch(() => {});
  }

  ask(act, asked = {}) {
    return new Promise((done, failed) => {
      const id = this.#next++;
      this.#asked.set(id, { done, failed });
      this.#worker.postMessage({ id, act, ...asked });
    });
  }

  end() {
    this.#worker.terminate();
    this.#asked.forEach(({ failed }) => failed(new DOMException('the view has ended', 'AbortError')));
  }
}

/** A camera as a place around its target. */
function orbitOf({ eye, target, fovDeg = 35, height }) {
  const [x, y, z] = eye.map((own, k) => own - target[k]);
  const distance = Math.hypot(x, y, z) || 1;
  const lens = height ? { height } : { fovDeg };
  return { target, distance, azimuthDeg: Math.atan2(x, z) / RAD, elevationDeg: Math.asin(y / distance) / RAD, lens };
}

function cameraOf({ target, distance, azimuthDeg, elevationDeg, lens }) {
  const [a, e] = [azimuthDeg * RAD, elevationDeg * RAD];
  const back = [Math.cos(e) * Math.sin(a), Math.sin(e), Math.cos(e) * Math.cos(a)];
  return { eye: target.map((own, k) => round(own + back[k] * distance)), target: target.map(round), ...lens };
}

/** Settings that are attributes of the same name: those of the picture and of the model, and the first view. */
// settings, written by tools/settings.rs
const ATTRIBUTES = [
  { name: 'anisotropy', option: 'anisotropy', kind: 'number' },
  { name: 'shade', option: 'shade', kind: 'text' },
  { name: 'look', option: 'look', kind: 'text' },
  { name: 'label', option: 'label', kind: 'text' },
  { name: 'tone', option: 'tone', kind: 'text' },
  { name: 'exposure', option: 'exposure', kind: 'number' },
  { name: 'occlusion', option: 'occlusion', kind: 'number' },
  { name: 'springs', option: 'springs', kind: 'text' },
  { name: 'background', option: 'background', kind: 'text' },
  { name: 'azimuthDeg', option: 'azimuth', kind: 'number' },
  { name: 'elevationDeg', option: 'elevation', kind: 'number' },
  { name: 'up', option: 'up', kind: 'text' },
  { name: 'front', option: 'front', kind: 'text' },
  { name: 'ticksPerSecond', option: 'ticks-per-second', kind: 'number' },
  { name: 'palette', option: 'palette', kind: 'text' },
];
// end of settings

export class TintypeViewer extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = ['src', 'anim', 'files', 'clip', 'size', 'samples', 'aov', 'poster', 'alt', ...ATTRIBUTES.map(({ option }) => option)];
  static #style;

  #parts = {};
  #drawer;
  #given;
  #loading = 0;
  #clips = [];
  #periodS = 0;
  #count = 0;
  #fps = 0;
  #first;
  #orbit;
  #timeS = 0;
  #index = 0;
  #drawing = false;
  #wanted = false;
  #movedAt = -Infinity;
  #stillTimer;
  #msPerPixel = 0;
  #shown;
  #playing;
  #pointers = new Map();
  #sizes;
  #calm;
  #name = '';
  #moved = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    if (!TintypeViewer.#style) {
      TintypeViewer.#style = new CSSStyleSheet();
      TintypeViewer.#style.replaceSync(STYLE);
    }
    // Allowed also where a page forbids styles in its text.
    root.adoptedStyleSheets = [TintypeViewer.#style];
    root.innerHTML = `<div class="view" tabindex="0" role="application" aria-roledescription="turning view" aria-describedby="keys" part="view">
<canvas role="img" aria-label="" part="canvas"></canvas><div class="poster" part="poster"><slot name="poster"><img alt="" hidden></slot></div><p class="error" role="alert" hidden part="error"></p></div>
<div class="bar" role="group" aria-label="Clip and moment" part="bar" hidden>
<button type="button" id="play" aria-label="Play">▶</button>
<input type="range" id="scrub" min="0" step="1" value="0" aria-label="Moment of the clip">
<output id="clock" for="scrub"></output>
<select id="clip" aria-label="Clip"></select>
</div>
<details part="warnings" hidden><summary></summary><ul></ul></details>
<p id="keys" class="hidden">${KEYS}</p><p id="status" class="hidden" role="status"></p>`;
    for (const id of ['play', 'scrub', 'clock', 'clip', 'status']) this.#parts[id] = root.getElementById(id);
    for (const name of ['view', 'poster', 'error', 'bar']) this.#parts[name] = root.querySelector(`.${name}`);
    for (const name of ['canvas', 'details', 'img']) this.#parts[name] = root.querySelector(name);
    this.#listen();
  }

  connectedCallback() {
    // A property that was set before the element was known.
    for (const name of ['source', 'camera', 'timeS', 'index']) {
      if (Object.hasOwn(this, name)) {
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
    }
    this.#sizes = new ResizeObserver(() => this.#want());
    this.#sizes.observe(this.#parts.view);
    this.#calm = matchMedia(LESS);
    this.#calm.onchange = () => this.#calm.matches && this.pause();
    this.#applySize();
    this.#applyPoster();
    this.#load();
  }

  disconnectedCallback() {
    this.pause();
    this.#sizes.disconnect();
    this.#calm.onchange = null;
    this.#drawer?.end();
    this.#drawer = undefined;
    this.#loading += 1;
  }

  attributeChangedCallback(name, before, now) {
    if (before === now || !this.isConnected) return;
    if (['size', 'samples', 'aov'].includes(name)) {
      this.#applySize();
      this.#want();
    } else if (name === 'clip') {
      this.#begin(this.#loading);
    } else if (name === 'poster') {
      this.#applyPoster();
    } else if (name === 'alt') {
      this.#tellName();
    } else {
      this.#orbit = undefined;
      this.#load();
    }
  }

  /** What is shown in place of `src`: `{ source, name, files, listed, clips }` of a model, or `{ scene, name, files }` of a scene's text. */
  get source() { return this.#given; }
  set source(given) {
    this.#given = given;
    if (!this.isConnected) return;
    this.#orbit = undefined;
    this.#load();
  }

  /** The camera: eye, target and fovDeg or height, in world units. Of a scene it is undefined until it is set or moved. */
  get camera() {
    const orbit = this.#orbit ?? (this.#count > 0 ? undefined : this.#first);
    return orbit && cameraOf(orbit);
  }
  set camera(camera) {
    this.#orbit = camera && orbitOf(camera);
    this.#want();
  }

  /** The moment of the clip in seconds, to the millisecond. */
  get timeS() { return this.#timeS; }
  set timeS(seconds) {
    this.#timeS = Math.min(Math.max(Math.round(seconds * 1000) / 1000 || 0, 0), this.#periodS || Infinity);
    this.#showMoment();
    this.#want();
  }

  /** The frame of a scene, from 0. */
  get index() { return this.#index; }
  set index(index) {
    this.#index = Math.min(Math.max(Math.round(index) || 0, 0), Math.max(this.#count - 1, 0));
    this.#showMoment();
    this.#want();
  }

  /** The last picture: an `ImageData`, whole when the view is still. */
  get picture() { return this.#shown; }

  /** 'loading', 'moving', 'still' or 'error'. */
  get state() { return this.dataset.state; }

  get playing() { return this.#playing !== undefined; }

  /** The scene that is seen, as the text that `tintype render` draws beside the model; of models alone. */
  async toScene() { return this.#drawer.ask('toScene', { view: { ...this.#view(1), timeS: this.#timeS } }); }

  play() {
    if (this.playing || !(this.#periodS > 0 || this.#count > 1)) return;
    let before = performance.now();
    const step = (now) => {
      const seconds = (now - before) / 1000;
      if (this.#count) {
        if (seconds * this.#fps >= 1) {
          before = now;
          this.index = (this.#index + 1) % this.#count;
          this.#tell();
        }
      } else {
        before = now;
        this.timeS = (this.#timeS + seconds) % this.#periodS;
        this.#tell();
      }
      this.#playing = requestAnimationFrame(step);
    };
    this.#playing = requestAnimationFrame(step);
    this.#showPlay();
  }

  pause() {
    if (!this.playing) return;
    cancelAnimationFrame(this.#playing);
    this.#playing = undefined;
    this.#showPlay();
    this.#want();
  }

  /** Goes back to the first view. */
  reset() {
    this.camera = undefined;
    this.#tell();
  }

  // Loading.

  async #load() {
    const turn = (this.#loading += 1);
    this.pause();
    this.#state('loading');
    this.#say('loading');
    this.#parts.error.hidden = true;
    this.#drawer?.end();
    this.#drawer = undefined;
    const src = this.getAttribute('src');
    if (!this.#given && !src) return;
    try {
      const drawer = await Drawer.start();
      if (turn !== this.#loading) return drawer.end();
      this.#drawer = drawer;
      const given = this.#given ?? {};
      if (given.scene !== undefined) {
        const { scene: text, name = 'scene.toml', files, fit } = given;
        const found = await drawer.ask('scene', { text, name, files, fit, index: this.#index });
        if (turn !== this.#loading) return;
        this.#clips = [];
        this.#name = name;
        this.#started({ ...found, periodS: 0 });
      } else {
        const named = given.source ?? src;
        // An address is one of the page, not of the worker.
        const source = typeof named === 'string' || named instanceof URL ? new URL(named, document.baseURI).href : named;
        const anim = this.getAttribute('anim');
        const clips = given.clips ?? (anim ? [anim] : undefined);
        const listed = given.listed ?? this.getAttribute('files')?.split(/\s+/).filter(Boolean).map(decodeURI);
        const found = await drawer.ask('open', { source, name: given.name, files: given.files, clips, listed });
        if (turn !== this.#loading) return;
        this.#clips = found.clips;
        this.#name = `${found.name}, ${found.triangles.toLocaleString('en')} triangles`;
        await this.#begin(turn);
      }
      if (this.hasAttribute('autoplay') && !this.#calm.matches) this.play();
    } catch (error) {
      if (turn === this.#loading) this.#fail(error);
    }
  }

  /** Begins the clip that the attribute names, or the one that suits the model. */
  async #begin(turn) {
    if (!this.#drawer || this.#given?.scene !== undefined) return;
    const options = {};
    for (const { name, option, kind } of ATTRIBUTES) {
      const value = this.getAttribute(option);
      if (value !== null) options[name] = kind === 'number' ? Number(value) : value;
    }
    try {
      const found = await this.#drawer.ask('clip', { clip: this.getAttribute('clip') ?? undefined, options });
      if (turn !== this.#loading) return;
      this.#started({ ...found, count: 0 });
    } catch (error) {
      if (turn === this.#loading) this.#fail(error);
    }
  }

  #started({ camera, warnings, count, fps, periodS, size, clip }) {
    this.#first = orbitOf(camera);
    [this.#count, this.#fps, this.#periodS] = [count, fps, periodS];
    this.#timeS = Math.min(this.#timeS, periodS);
    if (size && !this.hasAttribute('size')) this.style.setProperty('--aspect', `${size[0]} / ${size[1]}`);
    const { bar, scrub, clip: list } = this.#parts;
    bar.hidden = !(periodS > 0 || count > 1 || this.#clips.length > 0);
    scrub.max = String(count > 0 ? count - 1 : Math.round(periodS * 1000));
    scrub.ariaLabel = count > 0 ? 'Frame of the scene' : 'Moment of the clip';
    // A part of a clip, and a clip of a file beside the model, are none of its own.
    const others = clip && !this.#clips.some(({ name }) => name === clip.name) ? [new Option(clip.name, this.getAttribute('clip') ?? clip.name)] : [];
    list.hidden = this.#clips.length + others.length === 0;
    list.replaceChildren(...this.#clips.map(({ name }) => new Option(name, name)), ...others, new Option('bind pose', 'bind'));
    list.selectedIndex = clip ? [...list.options].findIndex(({ text }) => text === clip.name) : list.length - 1;
    this.#warn(warnings);
    this.#tellName();
    this.#say([this.#name, ...(clip ? [`clip ${clip.name}, ${periodS.toFixed(1)} seconds`] : [])].join(', '));
    this.#showMoment();
    this.#showPlay();
    this.dispatchEvent(new CustomEvent('load', { detail: { clips: this.#clips, count, periodS, warnings } }));
    this.#want();
  }

  /** Tells what may not be as it was meant, such as a texture that is missing. */
  #warn(warnings) {
    const { details } = this.#parts;
    details.hidden = warnings.length === 0;
    details.firstChild.textContent = warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`;
    details.lastChild.replaceChildren(...warnings.map(({ place, message }) => {
      const line = document.createElement('li');
      line.textContent = place ? `${place}: ${message}` : message;
      return line;
    }));
  }

  #fail(error) {
    if (error.name === 'AbortError') return;
    this.pause();
    const told = (error.diagnostics ?? []).flatMap(({ notes, help }) => [...(notes ?? []), ...(help ? [`help: ${help}`] : [])]);
    this.#parts.error.textContent = [error.message, ...told].join('\n');
    this.#parts.error.hidden = false;
    this.#state('error');
    this.dispatchEvent(new CustomEvent('error', { detail: error }));
  }

  /** Words that a screen reader reads out. */
  #say(words) {
    this.#parts.status.textContent = words;
  }

  #tellName() {
    const name = this.getAttribute('alt') ?? this.#name;
    this.#parts.canvas.ariaLabel = name;
    this.#parts.view.ariaLabel = name;
  }

  #applyPoster() {
    const { img } = this.#parts;
    img.hidden = !this.hasAttribute('poster');
    if (!img.hidden) img.src = this.getAttribute('poster');
  }

  #state(state) {
    this.dataset.state = state;
    this.#parts.view.ariaBusy = String(state === 'loading');
  }

  // Drawing.

  #applySize() {
    const [width, height] = this.#fixedSize() ?? [];
    if (width) this.style.setProperty('--aspect', `${width} / ${height}`);
  }

  #fixedSize() {
    const found = /^(\d+)(?:x(\d+))?$/.exec(this.getAttribute('size') ?? '');
    return found ? [Number(found[1]), Number(found[2] ?? found[1])] : undefined;
  }

  #size() {
    const fixed = this.#fixedSize();
    if (fixed) return fixed;
    const { clientWidth, clientHeight } = this.#parts.view;
    const sides = [clientWidth, clientHeight].map((side) => side * devicePixelRatio);
    const scale = Math.min(1, MOST_SIDE / Math.max(...sides));
    return sides.map((side) => Math.max(1, Math.round(side * scale)));
  }

  #view(scale) {
    const size = this.#size().map((side) => Math.max(1, Math.round(side * scale)));
    const samples = Number(this.getAttribute('samples')) || undefined;
    return { camera: this.camera, size, samples, aov: this.getAttribute('aov') ?? undefined };
  }

  /** Draws as soon as the last picture is there. */
  #want() {
    this.#wanted = true;
    if (this.state === 'still') this.#state('moving');
    if (!this.#drawing && this.#drawer && this.#first) this.#draw();
  }

  async #draw() {
    this.#drawing = true;
    while (this.#wanted && this.#drawer) {
      this.#wanted = false;
      const [drawer, turn] = [this.#drawer, this.#loading];
      const moves = this.playing || performance.now() - this.#movedAt < STILL_MS;
      const pixels = this.#size().reduce((a, b) => a * b);
      const fits = (scale) => this.#msPerPixel * pixels * scale * scale <= MOVING_MS;
      const scale = moves ? SCALES.find(fits) ?? SCALES.at(-1) : 1;
      const view = this.#view(scale);
      const moment = this.#count > 0 ? { index: this.#index } : { timeS: this.#timeS };
      try {
        const own = this.#count > 0 ? view : { ...view, ...moment };
        const found = await drawer.ask('draw', { index: moment.index, view: own });
        if (turn !== this.#loading) continue;
        this.#msPerPixel = found.ms / (found.width * found.height);
        this.#show(found, scale === 1 ? 'still' : 'moving', { ...view, ...moment });
        this.#parts.error.hidden = true;
        clearTimeout(this.#stillTimer);
        if (scale !== 1 && !this.#wanted) this.#stillTimer = setTimeout(() => this.#want(), STILL_MS);
        // Lets the page show it.
        if (this.#wanted) await new Promise((done) => requestAnimationFrame(done));
      } catch (error) {
        if (turn === this.#loading) this.#fail(error);
      }
    }
    this.#drawing = false;
  }

  #show({ width, height, pixels, ms }, state, view) {
    const { canvas } = this.#parts;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    this.#shown = new ImageData(pixels, width, height);
    canvas.getContext('2d', { willReadFrequently: true, colorSpace: 'srgb' }).putImageData(this.#shown, 0, 0);
    this.#parts.poster.hidden = true;
    this.#state(this.#wanted ? 'moving' : state);
    if (this.#moved && this.state === 'still') this.#saySide();
    this.dispatchEvent(new CustomEvent('frame', { detail: { ...view, ms, state } }));
  }

  #showMoment() {
    const { scrub, clock } = this.#parts;
    scrub.value = String(this.#count > 0 ? this.#index : Math.round(this.#timeS * 1000));
    const text = this.#count > 0 ? `frame ${this.#index + 1} of ${this.#count}` : `${this.#timeS.toFixed(3)} s`;
    clock.value = text;
    scrub.setAttribute('aria-valuetext', text);
  }

  #showPlay() {
    const { play } = this.#parts;
    play.textContent = this.playing ? '⏸' : '▶';
    play.ariaLabel = this.playing ? 'Pause' : 'Play';
    play.disabled = !(this.#periodS > 0 || this.#count > 1);
  }

  /** Says where the camera is, of models, whose fronts are known. */
  #saySide() {
    this.#moved = false;
    if (this.#count > 0) return;
    const { azimuthDeg, elevationDeg } = this.#orbit ?? this.#first;
    const height = Math.round(Math.abs(elevationDeg));
    const side = SIDES[((Math.round(azimuthDeg / 45) % 8) + 8) % 8];
    this.#say(`seen from the ${side}, ${height} degrees ${elevationDeg < 0 ? 'below' : 'above'}`);
  }

  // Hands.

  /** The user moved camera or moment. */
  #tell() {
    this.dispatchEvent(new CustomEvent('change', { detail: { camera: this.camera, timeS: this.#timeS, index: this.#index } }));
  }

  #move(change) {
    const before = this.#orbit ?? this.#first;
    if (!before) return;
    const orbit = { ...before, ...change(before) };
    orbit.elevationDeg = Math.min(Math.max(orbit.elevationDeg, -STEEPEST_DEG), STEEPEST_DEG);
    [this.#orbit, this.#movedAt, this.#moved] = [orbit, performance.now(), true];
    this.#want();
    this.#tell();
  }

  #turn(rightDeg, upDeg) {
    this.#move(({ azimuthDeg, elevationDeg }) => ({ azimuthDeg: azimuthDeg + rightDeg, elevationDeg: elevationDeg + upDeg }));
  }

  #zoom(factor) {
    this.#move(({ distance, lens }) => (lens.height ? { lens: { height: round(lens.height * factor) } } : { distance: distance * factor }));
  }

  /** Moves the target by shares of the picture's height. */
  #shift(x, y) {
    this.#move(({ target, distance, azimuthDeg, elevationDeg, lens }) => {
      const [a, e] = [azimuthDeg * RAD, elevationDeg * RAD];
      const unit = lens.height ?? 2 * distance * Math.tan((lens.fovDeg * RAD) / 2);
      const right = [Math.cos(a), 0, -Math.sin(a)];
      const up = [-Math.sin(e) * Math.sin(a), Math.cos(e), -Math.sin(e) * Math.cos(a)];
      return { target: target.map((own, k) => own + (right[k] * x + up[k] * y) * unit) };
    });
  }

  #listen() {
    const { view, canvas, play, scrub, clip } = this.#parts;
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, event);
      view.focus({ preventScroll: true, focusVisible: false });
      event.preventDefault();
    });
    canvas.addEventListener('pointermove', (event) => this.#drag(event));
    for (const kind of ['pointerup', 'pointercancel']) canvas.addEventListener(kind, (event) => this.#pointers.delete(event.pointerId));
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.#zoom(Math.exp(event.deltaY * WHEEL * (event.deltaMode === 1 ? 30 : 1)));
    }, { passive: false });
    view.addEventListener('keydown', (event) => this.#key(event));
    play.addEventListener('click', () => (this.playing ? this.pause() : this.play()));
    scrub.addEventListener('input', () => {
      this.pause();
      this.#movedAt = performance.now();
      if (this.#count > 0) this.index = Number(scrub.value);
      else this.timeS = Number(scrub.value) / 1000;
      this.#tell();
    });
    clip.addEventListener('change', () => this.setAttribute('clip', clip.value));
  }

  #drag(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const others = [...this.#pointers.values()].filter((one) => one.pointerId !== event.pointerId);
    this.#pointers.set(event.pointerId, event);
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    const { clientHeight } = this.#parts.view;
    if (others.length === 1) {
      const [other] = others;
      const distance = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      this.#zoom(Math.max(distance(before), 1) / Math.max(distance(event), 1));
      this.#shift(-dx / clientHeight / 2, dy / clientHeight / 2);
    } else if (event.buttons & 6 || event.shiftKey) {
      this.#shift(-dx / clientHeight, dy / clientHeight);
    } else {
      this.#turn(-dx * DEG_PER_PIXEL, dy * DEG_PER_PIXEL);
    }
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (step && event.shiftKey) this.#shift(step[0] / 16, step[1] / 16);
    else if (step) this.#turn(step[0] * TURN_DEG, step[1] * TURN_DEG);
    else if (event.key === '+' || event.key === '=') this.#zoom(0.9);
    else if (event.key === '-') this.#zoom(1 / 0.9);
    else if (event.key === '0' || event.key === 'Home') this.reset();
    else if (event.key === ' ') this.playing ? this.pause() : this.play();
    else return;
    event.preventDefault();
  }
}

if (globalThis.customElements && !customElements.get('tintype-viewer')) customElements.define('tintype-viewer', TintypeViewer);
