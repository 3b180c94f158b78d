// Draws models with the same bytes as the program of native code. The module of machine code is compiled once; each model has an instance
// of its own, whose memory goes with it.

const isNode = typeof process !== 'undefined' && !!process.versions?.node;
const utf8 = { encode: new TextEncoder(), decode: new TextDecoder() };
const NO_FILE = 0xffff_ffff_ffff_ffffn;

/** What was found wrong: `kind` ("file", "scene", "name", "draw"), `diagnostics` with place, message, notes and help. */
export class TintypeError extends Error {
  constructor({ message, kind, diagnostics }) {
    super(message);
    this.name = 'TintypeError';
    this.kind = kind;
    this.diagnostics = diagnostics;
  }
}

/** JSON has no word for what is no number, and would leave the option to its default. */
function numbersAlone(key, value) {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  throw new TintypeError({ message: `${key}: ${value}; expected a number`, kind: 'option', diagnostics: [] });
}

let compiled;

/** Compiles the module: from bytes, a response or a compiled module, by default from `tintype.wasm` beside this file. Called by itself. */
export function init(source) {
  compiled ??= compile(source);
  compiled.catch(() => { compiled = undefined; });
  return compiled;
}

async function compile(source) {
  source = await source;
  if (source instanceof WebAssembly.Module) return source;
  if (source === undefined) {
    const beside = new URL('./tintype.wasm', import.meta.url);
    if (beside.protocol === 'file:' && isNode) {
      const { readFile } = await import('node:fs/promises');
      source = await readFile(beside);
    } else {
      source = await fetch(beside);
    }
  }
  if (typeof Response !== 'undefined' && source instanceof Response) {
    if (!source.ok) throw new Error(`${source.url}: ${source.status} ${source.statusText}`);
    source = await source.arrayBuffer();
  }
  return WebAssembly.compile(source);
}

/** An instance of the module, and the files that it may ask for. */
class Session {
  #exports;
  #broken;

  constructor(module, file) {
    const env = {
      tintype_file: (at, length) => {
        const bytes = file(utf8.decode.decode(this.#memory(at, length)));
        return bytes ? (BigInt(this.#give(bytes)) << 32n) | BigInt(bytes.length) : NO_FILE;
      },
    };
    this.#exports = new WebAssembly.Instance(module, { env }).exports;
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
      this.#broken = new TintypeError({ message, kind: 'draw', diagnostics: [] });
      this.#broken.cause = cause;
      throw this.#broken;
    }
    const answer = JSON.parse(utf8.decode.decode(this.#memory(words[0], words[1])));
    if (answer.error) throw new TintypeError(answer.error);
    return { told: answer.ok, bytes: this.#memory(words[2], words[3]).slice() };
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
    /** Red, green, blue and alpha of each pixel. */
    this.pixels = new Uint8ClampedArray(bytes.buffer);
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

/** Frames of a turntable or a scene; each is drawn when it is asked for. */
export class Sequence {
  #session;

  constructor(session, { numbers, size, fps, digest, warnings }) {
    this.#session = session;
    Object.assign(this, { numbers, length: numbers.length, size, fps, digest, warnings });
  }

  /** Draws the frame of that index, from 0. A view sees it by another camera, of another size, or at another moment; no file is read again. */
  draw(index, view) {
    return new Frame(this.#session, this.#session.call({ op: 'frame', index, view: view && viewRequest(view) }));
  }

  /** The camera of a frame, as a view takes it: its target is the point before it that is nearest to the middle of the models. */
  camera(index) {
    const { viewFromWorld, clipFromView, bounds } = this.#session.call({ op: 'camera', index }).told;
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
    return utf8.decode.decode(this.#session.call({ op: 'toml', view: viewRequest(view) }).bytes);
  }

  *[Symbol.iterator]() {
    for (let index = 0; index < this.length; index += 1) yield this.draw(index);
  }

  /** All frames as the bytes of one file: 'gif', 'webp' without losses, or 'apng'. */
  toBytes(format) {
    return this.#session.call({ op: 'animation', format }).bytes;
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
    const session = new Session(await init(), found.file);
    return new Model(session, found, session.call(request(found)).told);
  }

  /** Draws one picture; viewpoint, clip and moment are chosen. */
  thumbnail(options = {}) {
    return new Frame(this.#session, this.#session.call({ op: 'thumbnail', model: 0, options }));
  }

  /** A loop of frames around the model while its clip plays. A model has one sequence at a time. */
  turntable(options = {}) {
    const { told } = this.#session.call({ op: 'turntable', model: 0, options });
    return new Sequence(this.#session, told);
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
    const session = new Session(await init(), file);
    for (const [side, source] of [['a', a], ['b', b]]) session.call(request(source, `${side}/`));
    return session.call({ op: 'diff', a: 0, b: 1 }).told;
  }
}

const viewRequest = ({ timeS, ...view }) => (timeS === undefined ? view : { ...view, momentMs: Math.round(timeS * 1000) });

function request({ name, clips, files }, folder = '') {
  const inside = (paths) => paths.map((path) => folder + path);
  return { op: 'open', name: folder + name, clips: inside(clips), files: inside(files) };
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

/** The frames of a scene, TOML; `files` gives what it names, by paths as it writes them. */
export async function scene(text, { files, listed, name = 'scene.toml' } = {}) {
  const { names, file } = resolver(files, listed);
  const session = new Session(await init(), file);
  return new Sequence(session, session.call({ op: 'scene', name, text, files: names }).told);
}

/** Bytes of a source, and where its neighbours are. */
async function gathered(source, { name, clips = [], files, listed } = {}) {
  let bytes;
  let disk;
  let beside = [];
  if (isNode && typeof source === 'string' && !/^[a-z]+:\/\//i.test(source)) {
    const { readFileSync, readdirSync } = await import('node:fs');
    const path = await import('node:path');
    const folder = path.dirname(source);
    name ??= path.basename(source);
    bytes = readFileSync(source);
    beside = [...below(readdirSync, folder), ...aside(readdirSync, folder)];
    disk = (wanted) => {
      try {
        return readFileSync(path.join(folder, wanted));
      } catch {
        return undefined;
      }
    };
  } else if (typeof source === 'string' || source instanceof URL) {
    const response = await fetch(source);
    if (!response.ok) throw new Error(`${source}: ${response.status} ${response.statusText}`);
    name ??= decodeURIComponent(new URL(response.url || source, 'http://x/').pathname.split('/').pop());
    bytes = new Uint8Array(await response.arrayBuffer());
  } else if (typeof Blob !== 'undefined' && source instanceof Blob) {
    name ??= source.name;
    bytes = new Uint8Array(await source.arrayBuffer());
  } else {
    bytes = asBytes(source);
  }
  name ??= 'model';
  const neighbours = resolver(files, listed);
  const file = (path) => (path === name ? bytes : neighbours.file(path) ?? disk?.(path));
  return { name, clips, files: [...neighbours.names, ...beside], file };
}

/** Paths of the files below a folder: a few folders deep, and not without end. */
function below(readdirSync, folder, inside = '', depth = 0, found = []) {
  let entries = [];
  try {
    entries = readdirSync(`${folder}/${inside}`, { withFileTypes: true });
  } catch {
    // A folder that cannot be read holds nothing for us.
  }
  for (const entry of entries) {
    if (found.length >= 4096) break;
    if (entry.isDirectory() && depth < 3) below(readdirSync, folder, `${inside}${entry.name}/`, depth + 1, found);
    else if (!entry.isDirectory()) found.push(inside + entry.name);
  }
  return found;
}

/** Names of the folders beside that of a model in which its clips and its pictures are searched. */
const ASIDE = /^(animations?|anims?|clips?|md5anims?|motions?|textures?|skins?|materials?|images|maps|tex|tga|png|jpg|dds|bitmaps)$/i;

/** Paths of the files in such folders. */
function aside(readdirSync, folder) {
  let names = [];
  try {
    names = readdirSync(`${folder}/..`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  } catch {
    // A folder that cannot be read holds nothing for us.
  }
  const found = names.map((entry) => entry.name).filter((name) => ASIDE.test(name));
  return found.flatMap((name) => below(readdirSync, folder, `../${name}/`, 2));
}

/** Files as a function, with the paths that it knows, an object or a `Map` of bytes by path. */
function resolver(files, listed = []) {
  if (typeof files === 'function') return { names: listed, file: (path) => maybeBytes(files(path)) };
  const known = files instanceof Map ? files : new Map(Object.entries(files ?? {}));
  return { names: [...known.keys()], file: (path) => maybeBytes(known.get(path)) };
}

const maybeBytes = (found) => (found == null ? undefined : asBytes(found));

function asBytes(source) {
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  throw new TypeError('expected bytes: a Uint8Array, an ArrayBuffer or a Blob');
}
