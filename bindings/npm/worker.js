// Draws for a viewer in a worker, so that its page never waits. Requests are answered in their order.
import { Model, init, scene } from './index.js';

/** Moments of a clip to which the camera is fitted. */
const FITTED = 16;

let model;
let sequence;

const letters = (bytes) => new TextDecoder('latin1').decode(bytes);

/** The bytes at an address, for which a worker may wait; nothing if there are none. */
function fetched(address) {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  request.responseType = 'arraybuffer';
  try {
    request.send();
  } catch {
    return undefined;
  }
  return request.status === 200 ? new Uint8Array(request.response) : undefined;
}

/** Files beside a model at an address. A server lists no folders, so only names are asked for that the page or one of the files states. */
function beside(address, stated) {
  const known = new Map();
  const texts = [];
  const isStated = (path) => {
    const name = path.split('/').pop();
    const words = [letters(new TextEncoder().encode(name)), encodeURIComponent(name)];
    return stated.includes(path) || (name.includes('.') && texts.some((text) => words.some((word) => text.includes(word))));
  };
  return (path, model) => {
    if (texts.length === 0) texts.push(letters(model));
    if (!known.has(path) && isStated(path)) {
      const found = fetched(new URL(path.split('/').map(encodeURIComponent).join('/'), address));
      known.set(path, found);
      // A file of materials names pictures.
      if (found && !/\.(png|jpe?g|webp|tga|dds|bmp|ktx2?|bin)$/i.test(path)) texts.push(letters(found));
    }
    return known.get(path);
  };
}

const ACTS = {
  async init({ module }) {
    await init(module);
  },

  /** Opens a model of an address or of bytes. */
  async open({ source, name, files, clips = [], listed = [] }) {
    files ??= typeof source === 'string' ? beside(source, [...clips, ...listed]) : undefined;
    model = await Model.open(source, { name, clips, files, listed });
    const triangles = model.meshes.reduce((sum, mesh) => sum + mesh.triangles, 0);
    return { name: model.name, clips: model.clips, triangles };
  },

  /** Begins a clip of the model, the one that suits it if none is named: the camera is fitted to all of it from all around. */
  clip({ clip, options }) {
    const begun = (periodS) => {
      const frames = Math.max(1, Math.min(FITTED, Math.floor(periodS * 1000)));
      const fps = periodS > 0 ? frames / periodS : 24;
      return model.turntable({ ...options, clip, frames, fps, wrap: 'clamp' });
    };
    // The sequence tells which clip plays; most often it is this one.
    const likely = model.clips.find(({ name }) => name === clip) ?? model.clips[0];
    const guessed = likely?.periodS ?? 0;
    let made = begun(guessed);
    const periodS = made.clip?.periodS ?? 0;
    if (periodS !== guessed) {
      made.free();
      made = begun(periodS);
    }
    sequence?.free();
    sequence = made;
    return { camera: made.camera(0), warnings: made.warnings, clip: made.clip, periodS };
  },

  /** Begins a scene. */
  async scene({ text, name, files, fit, index }) {
    sequence = await scene(text, { name, files, fit });
    return { count: sequence.length, fps: sequence.fps, size: sequence.size, camera: sequence.camera(index ?? 0), warnings: sequence.warnings };
  },

  draw({ index = 0, view }) {
    const started = performance.now();
    const { width, height, pixels } = sequence.draw(index, view);
    return { width, height, pixels, ms: performance.now() - started };
  },

  toScene({ view }) {
    return sequence.toScene(view);
  },
};

let last = Promise.resolve();

self.onmessage = ({ data: { id, act, ...asked } }) => {
  last = last.then(async () => {
    try {
      const answer = await ACTS[act](asked);
      self.postMessage({ id, answer }, answer?.pixels ? [answer.pixels.buffer] : []);
    } catch ({ message, kind, diagnostics }) {
      self.postMessage({ id, error: { message, kind, diagnostics } });
    }
  });
};
