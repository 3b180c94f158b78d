// Draws for a viewer in a worker, so that its page never waits. Requests are answered in their order.
import { Model, init, scene } from './index.js';

/** Moments of a clip to which the camera is fitted. */
const FITTED = 16;

let model;
let sequence;

/** A picture: its name without the ending of a map and the extension. */
const PICTURE = /^(?:.*\/)?([^/]*?)(?:_d|_diffuse|_albedo|_basecolor|_local|_normals?|_n|_s|_specular)?\.(?:png|tga|jpe?g|bmp|dds|webp|ktx2)$/i;
/** Most requests for one picture, and of these with one path but for the extension: each name that is tried and not there is one. */
const MOST = 8;
const MOST_OF_PATH = 3;

/** Files beside a model at an address: a worker may wait for them. */
function beside(address) {
  const known = new Map();
  const asked = new Map();
  const isAsked = (path) => {
    const stem = PICTURE.exec(path)?.[1];
    if (stem === undefined) return true;
    const counts = [[stem, MOST], [path.slice(0, path.lastIndexOf('.')) + '\n', MOST_OF_PATH]];
    if (counts.some(([key, most]) => (asked.get(key) ?? 0) >= most)) return false;
    counts.forEach(([key]) => asked.set(key, (asked.get(key) ?? 0) + 1));
    return true;
  };
  return (path) => {
    if (!known.has(path) && isAsked(path)) {
      const request = new XMLHttpRequest();
      request.open('GET', new URL(path.split('/').map(encodeURIComponent).join('/'), address), false);
      request.responseType = 'arraybuffer';
      try {
        request.send();
      } catch {
        // As one that is not there.
      }
      known.set(path, request.status === 200 ? new Uint8Array(request.response) : undefined);
    }
    return known.get(path);
  };
}

const ACTS = {
  async init({ module }) {
    await init(module);
  },

  /** Opens a model of an address or of bytes. */
  async open({ source, name, files, clips }) {
    model = await Model.open(source, { name, clips, files: files ?? (typeof source === 'string' ? beside(source) : undefined) });
    const triangles = model.meshes.reduce((sum, mesh) => sum + mesh.triangles, 0);
    return { name: model.name, clips: model.clips, triangles };
  },

  /** Begins a clip of the model: the camera is fitted to all of it from all around. */
  clip({ clip, periodS, options }) {
    const frames = Math.max(1, Math.min(FITTED, Math.floor(periodS * 1000)));
    const fps = periodS > 0 ? frames / periodS : 24;
    sequence = model.turntable({ ...options, clip, frames, fps, wrap: 'clamp' });
    return { camera: sequence.camera(0), warnings: sequence.warnings };
  },

  /** Begins a scene. */
  async scene({ text, name, files, index }) {
    sequence = await scene(text, { name, files });
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
