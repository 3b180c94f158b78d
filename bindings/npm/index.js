// Draws models with the same bytes as the program of native code. The module of machine code is compiled once; each model has an instance
// of its own, whose memory goes with it. Browsers load this file as it is; node.js adds the disk.

/** Abilities of a machine beyond those of a browser: `module()` gives the bytes of `tintype.wasm`, `disk(source)` a file with those beside it. */
export const host = { module: undefined, disk: () => undefined };

const utf8 = { encode: new TextEncoder(), decode: new TextDecoder() };
const NO_FILE = 0xffff_ffff_ffff_ffffn;

/** An error: `kind` ("file", "scene", "name", "draw", "write", "option"), `diagnostics` with place, message, notes and help. */
export class TintypeError extends Error {
  constructor({ message, kind, diagnostics = [], cause }) {
    super(message, { cause });
    this.name = 'TintypeError';
    this.kind = kind;
    this.diagnostics = diagnostics;
  }
}

/** JSON has no word for what is no number, and would leave the option to its default. */
function numbersAlone(key, value) {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  throw new TintypeError({ message: `${key}: ${value}; expected a number`, kind: 'option' });
}

let compiled;

/** Compiles the module: from bytes, a response or a compiled module, by default from `tintype.wasm` beside this file. Called by itself. */
export function init(source) {
  compiled ??= compile(source);
  compiled.catch(() => { compiled = undefined; });
  return compiled;
}

const script = globalThis.document?.currentScript?.src;

/** The address of `tintype.wasm`: beside this file, or beside the script where a bundle knows no address of its modules. */
function besideThis() {
  try {
    return new URL('./tintype.wasm', import.meta.url);
  } catch {
    return new URL('tintype.wasm', script ?? globalThis.location?.href);
  }
}

async function compile(source) {
  source = await (source ?? host.module?.() ?? fetch(besideThis()));
  if (source instanceof WebAssembly.Module) return source;
  if (typeof Response === 'undefined' || !(source instanceof Response)) return WebAssembly.compile(source);
  if (!source.ok) throw notThere(source);
  const bytes = new Uint8Array(await source.arrayBuffer());
  // A server may answer a missing file with its page.
  if (String(bytes.subarray(0, 4)) !== '0,97,115,109') throw notThere({ url: source.url, status: 'not a WebAssembly file' });
  return WebAssembly.compile(bytes);
}

function notThere({ url, status }) {
  const help = url.includes('/.vite/') ? "name 'tintype' in optimizeDeps.exclude of Vite" : 'copy tintype.wasm from the package there, or pass it to init()';
  return new TintypeError({ message: `${url}: ${status}; ${help}`, kind: 'file' });
}

/** An instance of the module, and the files that it may ask for. */
class Session {
  #exports;
  #broken;

  /** A session of the compiled module. */
  static async begin(file) {
    const session = new Session();
    const env = {
      tintype_file: (at, length) => {
        const bytes = file(utf8.decode.decode(session.#memory(at, length)));
        return bytes ? (BigInt(session.#give(bytes)) << 32n) | BigInt(bytes.length) : NO_FILE;
      },
    };
    session.#exports = (await WebAssembly.instantiate(await init(), { env })).exports;
    return session;
  }

  #memory(at, length) {
    return new Uint8Array(this.#exports.memory.buffer, at >>> 0, length >>> 0);
  }

  #give(bytes) {
    const at = this.#exports.tintype_alloc(bytes.length) >>> 0;
    this.#memory(at, bytes.length).set(bytes);
    return at;
  }

  /** Carries out a request: what it tells, and a copy of its bytes. */
  call(request, bytes) {
    if (this.#broken) throw this.#broken;
    const text = utf8.encode.encode(JSON.stringify(request, numbersAlone));
    let words;
    try {
      const given = bytes ? [this.#give(bytes), bytes.length] : [0, 0];
      const at = this.#exports.tintype_call(this.#give(text), text.length, ...given) >>> 0;
      words = new Uint32Array(this.#exports.memory.buffer.slice(at, at + 16));
    } catch (cause) {
      // A trap leaves the memory as it was in the middle of the work.
      const message = 'the module stopped: a defect of tintype, or too little memory';
      this.#broken = new TintypeError({ message, kind: 'draw', cause });
      throw this.#broken;
    }
    const answer = JSON.parse(utf8.decode.decode(this.#memory(words[0], words[1])));
    if (answer.error) throw new TintypeError(answer.error);
    return { told: answer.ok, bytes: this.#memory(words[2], words[3]).slice() };
  }

  /** Lets a sequence go. */
  end(sequence) {
    if (!this.#broken) this.call({ op: 'end', sequence });
  }
}

/** A picture: 8 bits a channel, sRGB, straight alpha, rows from the top. */
export class Frame {
  #session;

  constructor(session, { told, bytes }) {
    this.#session = session;
    this.width = told.width;
    this.height = told.height;
    /** Warnings of the drawing. */
    this.warnings = told.warnings;
    const length = 4 * told.width * told.height;
    /** Red, green, blue and alpha of each pixel. */
    this.pixels = new Uint8ClampedArray(bytes.buffer, 0, length);
    /** Channels that were asked for, each the numbers of all pixels, row by row. */
    this.channels = {};
    /** Names of what whole numbers of a channel count: the first is that of 1. */
    this.legend = {};
    let at = length;
    for (const { name, count, isIndex, legend } of told.channels ?? []) {
      this.channels[name] = new (isIndex ? Uint32Array : Float32Array)(bytes.buffer, at, count);
      if (legend.length > 0) this.legend[name] = legend;
      at += 4 * count;
    }
  }

  /** The PNG file that the command line writes, without the record of what was drawn. */
  toPng() {
    return this.toBytes('png');
  }

  /** The bytes of a file: 'png', 'jpg' (white where it is transparent) or 'webp' without losses. */
  toBytes(format = 'png') {
    const { width, height } = this;
    return this.#session.call({ op: 'encode', width, height, format }, this.pixels).bytes;
  }

  /** For `CanvasRenderingContext2D.putImageData`; in browsers and workers. */
  toImageData() {
    return new ImageData(this.pixels, this.width, this.height);
  }
}

const forgotten = new FinalizationRegistry(({ session, sequence }) => session.end(sequence));

/** Frames of a turntable or a scene; each is drawn when it is asked for. */
export class Sequence {
  #session;
  #sequence;

  constructor(session, { sequence, numbers, size, fps, digest, clip, warnings }) {
    this.#session = session;
    this.#sequence = sequence;
    Object.assign(this, { numbers, length: numbers.length, size, fps, digest, clip, warnings });
    forgotten.register(this, { session, sequence }, this);
  }

  /** Gives its memory back, as happens by itself some time after nothing holds it. */
  free() {
    if (forgotten.unregister(this)) this.#session.end(this.#sequence);
  }

  #call(request, bytes) {
    return this.#session.call({ ...request, sequence: this.#sequence }, bytes);
  }

  /** Draws the frame of that index, from 0. A view sees it by another camera, of another size, or at another moment; no file is read again.
   * `channels` of a view are in the frame, and `vertices`, `joints` and `transforms` take the place of those of the scene, each an object of
   * arrays by the names of instances or their numbers from 0. */
  draw(index, view) {
    const { channels, vertices, joints, transforms, ...others } = Object(view);
    if (!(channels || vertices || joints || transforms)) {
      return new Frame(this.#session, this.#call({ op: 'frame', index, view: view && viewRequest(view) }));
    }
    const own = Object.entries({ transforms, joints, vertices }).flatMap(([name, byInstance]) =>
      Object.entries(byInstance ?? {}).map(([instance, values]) => ({ name, instance, values: numbers(name, values, Float32Array) })));
    const { parts: given, bytes } = joined(own);
    return new Frame(this.#session, this.#call({ op: 'frame', index, view: viewRequest(others), channels, given }, bytes));
  }

  /** The camera of a frame, as a view takes it: its target is the point before it that is nearest to the middle of the models. */
  camera(index) {
    const { viewFromWorld, clipFromView, bounds } = this.#call({ op: 'camera', index }).told;
    const [right, up, back] = viewFromWorld;
    const eye = [0, 1, 2].map((k) => -[right, up, back].reduce((sum, row) => sum + row[k] * row[3], 0));
    const middle = bounds ? bounds[0].map((low, k) => (low + bounds[1][k]) / 2) : eye.map((own, k) => own - back[k]);
    const toMiddle = middle.map((own, k) => own - eye[k]);
    const before = -toMiddle.reduce((sum, own, k) => sum + own * back[k], 0);
    const distance = before > 0 ? before : Math.hypot(...toMiddle) || 1;
    const round = (value) => Number(value.toPrecision(7));
    const vector = (values) => values.map(round);
    const lens = clipFromView[3][3] === 1 ? { height: round(2 / clipFromView[1][1]) } : { fovDeg: round((2 * Math.atan(1 / clipFromView[1][1]) * 180) / Math.PI) };
    return { eye: vector(eye), target: vector(eye.map((own, k) => own - back[k] * distance)), up: vector(up.slice(0, 3)), ...lens };
  }

  /** The scene of a turntable by a view, as the TOML text that `tintype render` draws beside the model. */
  toScene(view = {}) {
    return utf8.decode.decode(this.#call({ op: 'toml', view: viewRequest(view) }).bytes);
  }

  *[Symbol.iterator]() {
    for (let index = 0; index < this.length; index += 1) yield this.draw(index);
  }

  /** All frames as the bytes of one file: 'gif', 'webp' without losses, or 'apng'. */
  toBytes(format) {
    return this.#call({ op: 'animation', format }).bytes;
  }

  /** Draws all frames and lets other work run between them. `signal` ends it, `onProgress(done, all)` is told of each. */
  async *frames({ signal, onProgress } = {}) {
    for (let index = 0; index < this.length; index += 1) {
      signal?.throwIfAborted();
      yield this.draw(index);
      onProgress?.(index + 1, this.length);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
}

/** Contents and problems of a file: the data of `tintype inspect --json`. */
export class Inspection {
  #session;

  constructor(session, json) {
    this.#session = session;
    Object.assign(this, JSON.parse(json));
  }

  /** The page that `tintype inspect` prints; `tree` lists every joint. */
  toText({ tree } = {}) {
    return utf8.decode.decode(this.#session.call({ op: 'inspectText', tree }).bytes);
  }
}

/** A model with its clips. */
export class Model {
  #session;
  #source;

  constructor(session, source, told) {
    this.#session = session;
    this.#source = source;
    this.name = source.name;
    Object.assign(this, told);
  }

  /** Opens a model: bytes, a `Blob`, a URL, or in Node the path of a file. */
  static async open(source, options = {}) {
    const found = await gathered(source, options);
    const session = await Session.begin(found.file);
    return new Model(session, found, session.call(request(found)).told);
  }

  /** A model of arrays; see `meshBytes`. */
  static async fromArrays(arrays) {
    return Model.open(await meshBytes(arrays), { name: 'arrays.glb' });
  }

  /** Draws one picture; viewpoint, clip and moment are chosen. */
  thumbnail(options = {}) {
    return new Frame(this.#session, this.#session.call({ op: 'thumbnail', model: 0, options }));
  }

  /** A loop of frames around the model while its clip plays. */
  turntable(options = {}) {
    const { told } = this.#session.call({ op: 'turntable', model: 0, options });
    return new Sequence(this.#session, told);
  }

  /** One picture of numbered cells, views side by side and times of clips below each other, with its legend as data. */
  contactSheet(options = {}) {
    const answer = this.#session.call({ op: 'contactSheet', model: 0, options });
    return { frame: new Frame(this.#session, answer), legend: JSON.parse(answer.told.legend) };
  }

  /** The posed mesh as Wavefront OBJ. */
  pose({ clip = null, timeS = 0, morphs = {} } = {}) {
    const { bytes } = this.#session.call({ op: 'pose', model: 0, clip, timeS, morphs: Object.entries(morphs) });
    return utf8.decode.decode(bytes);
  }

  /** What differs in another model: joints, weights, triangles, materials, clips. */
  async diff(other) {
    const [a, b] = [this.#source, other.#source];
    const file = (path) => (path.startsWith('b/') ? b.file(path.slice(2)) : a.file(path.replace(/^a\//, '')));
    const session = await Session.begin(file);
    for (const [side, source] of [['a', a], ['b', b]]) session.call(request(source, `${side}/`));
    return session.call({ op: 'diff', a: 0, b: 1 }).told;
  }
}

/**
 * The bytes of a glTF file of arrays, for `Model.open` or the `files` of a scene: `positions` and `triangles`, and if there are `normals`, `uv`,
 * `colors` (linear red, green, blue and alpha, or codes of sRGB as bytes), `color` of all, `texture` (`width`, `height`, `pixels`), `joints`
 * with `weights` of each vertex, and `bind`, a matrix of each joint to model space in the pose of the positions.
 */
export async function meshBytes(arrays) {
  const { texture, ...others } = arrays;
  const known = ['positions', 'triangles', 'normals', 'uv', 'colors', 'color', 'joints', 'weights', 'bind'];
  const odd = Object.keys(others).find((name) => !known.includes(name));
  if (odd) throw new TintypeError({ message: `unknown array "${odd}"; expected one of ${known.join(', ')}, texture`, kind: 'option' });
  const own = known.filter((name) => others[name] != null || known.indexOf(name) < 2).map((name) => {
    const values = others[name];
    if (name === 'colors' && (values instanceof Uint8Array || values instanceof Uint8ClampedArray)) return { name: 'codes', values };
    return { name, values: numbers(name, values, ['triangles', 'joints'].includes(name) ? Uint32Array : Float32Array) };
  });
  if (texture) own.push({ name: 'texture', width: texture.width, values: asBytes(texture.pixels ?? texture.data) });
  const { parts, bytes } = joined(own);
  return (await Session.begin(() => undefined)).call({ op: 'arrays', parts }, bytes).bytes;
}

/** Numbers of a typed array or of lists of numbers, as an array of a type that holds them. */
function numbers(name, values, Type) {
  const flat = ArrayBuffer.isView(values) ? values : Array.isArray(values) ? values.flat(Infinity) : undefined;
  if (!flat || flat instanceof DataView) throw new TintypeError({ message: `${name}: ${values === null ? 'null' : typeof values}; expected a typed array or a list of numbers`, kind: 'option' });
  if (Type === Uint32Array) {
    const wrong = flat.findIndex((value) => !(Number.isInteger(value) && value >= 0 && value < 2 ** 32));
    if (wrong >= 0) throw new TintypeError({ message: `${name}[${wrong}]: ${flat[wrong]}; expected a whole number from 0`, kind: 'option' });
  }
  return flat instanceof Type ? flat : Type.from(flat);
}

/** Arrays as the bytes of all of them, one after the other, and what each is. */
function joined(arrays) {
  const bytes = new Uint8Array(arrays.reduce((sum, { values }) => sum + values.byteLength, 0));
  let at = 0;
  const parts = arrays.map(({ values, ...about }) => {
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    at += values.byteLength;
    return { ...about, count: values.length };
  });
  return { parts, bytes };
}

function viewRequest(view) {
  const { timeS, ...others } = Object(view);
  if (timeS === undefined) return typeof view === 'object' ? others : view;
  if (!Number.isFinite(timeS)) throw new TintypeError({ message: `timeS: ${timeS}; expected a number`, kind: 'option' });
  return { ...others, momentMs: Math.round(timeS * 1000) };
}

function request({ name, clips, files }, folder = '') {
  const inside = (paths) => (Array.isArray(paths) ? paths.map((path) => folder + path) : paths);
  return { op: 'open', name: typeof name === 'string' ? folder + name : name, clips: inside(clips), files: inside(files) };
}

/** Draws one picture of a model. */
export async function thumbnail(source, { files, listed, clips, name, ...options } = {}) {
  return (await Model.open(source, { files, listed, clips, name })).thumbnail(options);
}

/** A loop of frames around a model. */
export async function turntable(source, { files, listed, clips, name, ...options } = {}) {
  return (await Model.open(source, { files, listed, clips, name })).turntable(options);
}

/** What differs between two models. */
export async function diff(a, b) {
  const open = (source) => (source instanceof Model ? source : Model.open(source));
  return (await open(a)).diff(await open(b));
}

/** Contents and problems of a model with its clips, of a clip, a camera or a scene. */
export async function inspect(source, { files, listed, clips, name, ...options } = {}) {
  const found = await gathered(source, { files, listed, clips, name });
  const session = await Session.begin(found.file);
  return new Inspection(session, session.call({ ...request(found), op: 'inspect', options }).told);
}

/** The frames of a scene, TOML; `files` gives what it names, by paths as it writes them. */
export async function scene(text, { files, listed, name = 'scene.toml', fit } = {}) {
  const { names, file } = resolver(files, listed);
  const session = await Session.begin(file);
  return new Sequence(session, session.call({ op: 'scene', name, text, files: names, fit }).told);
}

/** Bytes of a source, and where its neighbours are. */
async function gathered(source, { name, clips = [], files, listed } = {}) {
  let { bytes, ...disk } = host.disk(source) ?? {};
  if (bytes) {
    name ??= disk.name;
  } else if (typeof source === 'string' || source instanceof URL) {
    const response = await fetch(source).catch((cause) => {
      throw new TintypeError({ message: `${source}: ${cause.cause?.message || cause.message}`, kind: 'file', cause });
    });
    if (!response.ok) throw new TintypeError({ message: `${source}: ${[response.status, response.statusText].join(' ').trim()}`, kind: 'file' });
    name ??= nameOf(source) ?? nameOf(response.url);
    bytes = new Uint8Array(await response.arrayBuffer());
  } else if (typeof Blob !== 'undefined' && source instanceof Blob) {
    name ??= source.name;
    bytes = new Uint8Array(await source.arrayBuffer());
  } else {
    bytes = asBytes(source);
  }
  name ??= 'model';
  const neighbours = resolver(files, listed);
  const file = (path) => (path === name ? bytes : neighbours.file(path, bytes) ?? disk.file?.(path));
  return { name, clips, files: [...neighbours.names, ...(disk.beside ?? [])], file };
}

/** The name of a file at an address, if it has an extension. */
function nameOf(address) {
  const last = new URL(address, 'http://x/').pathname.split('/').pop();
  if (!/\.\w+$/.test(last)) return undefined;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Files as a function, with the paths that it knows, an object or a `Map` of bytes by path. */
function resolver(files, listed = []) {
  if (typeof files === 'function') return { names: listed, file: (path, bytes) => maybeBytes(files(path, bytes)) };
  const known = files instanceof Map ? files : new Map(Object.entries(files ?? {}));
  return { names: [...known.keys()], file: (path) => maybeBytes(known.get(path)) };
}

const maybeBytes = (found) => (found == null ? undefined : asBytes(found));

function asBytes(source) {
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  throw new TypeError(`found ${source === null ? 'null' : typeof source}; expected bytes (a Uint8Array, an ArrayBuffer or a Blob) or an address`);
}
