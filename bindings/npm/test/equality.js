// Pictures of goldens and models in Node and in Chromium or Firefox, beside those of the native program:
// `equality.js [--every N] [--most N] [--browser firefox]`.
// Goldens are those of this checkout; TINTYPE_MODELS names a folder of models, of which each Nth is drawn. The last line is the number of
// pictures, and the exit code 1 where one differs.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Model, scene } from '../node.js';
import { Browser } from './support/chromium.js';
import { Firefox } from './support/firefox.js';
import { program, root, serve } from './support/native.js';
import { decoded } from './support/png.js';

const { values: asked } = parseArgs({ options: { every: { type: 'string', default: '1' }, most: { type: 'string', default: '100000' }, browser: { type: 'string', default: 'chromium' } } });
const SIZE = 96;
const MODEL = /\.(glb|gltf|vrm|fbx|x|md5mesh|obj|iqm|mdl|md2|md3|3ds|b3d|stl|ply)$/i;
/** Files above this size are left out: a browser and the program together would take long. */
const MOST_BYTES = 12e6;

function below(folder, inside = '') {
  return readdirSync(path.join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
    const name = inside + entry.name;
    return entry.isDirectory() ? below(folder, `${name}/`) : [name];
  });
}

/** What is drawn: a scene's golden frame, or a model. `wanted` gives the native pixels, or the words of the refusal. */
function goldens() {
  const folder = path.join(root, 'scenes');
  const listed = below(folder).filter((name) => !/\.toml$/.test(name));
  // Beside the folders of scenes lie the parts that their records share.
  return readdirSync(path.join(root, 'golden')).filter((name) => name !== 'content').flatMap((name) => {
    const text = readFileSync(path.join(folder, `${name}.toml`), 'utf8');
    return readdirSync(path.join(root, 'golden', name)).filter((file) => file.endsWith('.png')).map((file) => {
      const [, number, aov] = /^(-?\d+)(?:\.(.+))?\.png$/.exec(file);
      const word = aov?.replace(/^joint-/, 'joint:');
      const png = readFileSync(path.join(root, 'golden', name, file));
      const size = [png.readUInt32BE(16), png.readUInt32BE(20)];
      const wanted = () => decoded(png);
      return { kind: 'scene', name: `${name}.toml`, shown: `golden/${name}/${file}`, text, number: Number(number), view: { size, aov: word }, folder: 'scenes', listed, wanted };
    });
  });
}

function models(folder, temporary) {
  const files = below(folder);
  const chosen = files.filter((name) => MODEL.test(name) && statSync(path.join(folder, name)).size <= MOST_BYTES).filter((_, index) => index % Number(asked.every) === 0);
  const list = chosen.slice(0, Number(asked.most));
  const told = new Map();
  for (let at = 0; at < list.length; at += 100) {
    const words = ['--no-config', 'thumbnail', ...list.slice(at, at + 100).map((name) => path.join(folder, name)), '-s', String(SIZE), '-o', path.join(temporary, String(at)), '--json', '--timeout', '120'];
    const found = spawned(words);
    for (const one of found.models) told.set(path.relative(folder, one.path), { picture: one.picture && path.join(temporary, String(at), one.picture), clip: one.view?.clip });
  }
  return list.map((name) => {
    // A palette of Quake and a folder of textures lie in the folder above the model's own.
    const inside = /\.(mdl|b3d)$/i.test(name) ? path.dirname(path.dirname(name)) : path.dirname(name);
    const listed = files.filter((one) => inside === '.' || one.startsWith(`${inside}/`)).map((one) => path.relative(inside, one));
    const { picture, clip } = told.get(name) ?? {};
    // Clips beside a model of MD5 are found by the program alone.
    const clips = [`${clip}.md5anim`].filter((file) => /md5mesh$/i.test(name) && listed.includes(file));
    const wanted = () => picture && decoded(readFileSync(picture));
    return { kind: 'model', name: path.posix.relative(inside, name), shown: name, folder: `models/${inside}`, listed, clips, options: { size: SIZE }, wanted };
  });
}

/** The JSON of a command, whatever its exit code. */
function spawned(words) {
  try {
    return JSON.parse(execFileSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch ({ stdout }) {
    return JSON.parse(stdout);
  }
}

/** The pixels in Node; undefined if the model is refused. */
async function drawn({ kind, name, text, number, view, folder, listed, clips, options }) {
  const beside = path.join(folder.startsWith('models') ? process.env.TINTYPE_MODELS : root, folder.replace(/^models\//, ''));
  const files = (wanted) => {
    try {
      return readFileSync(path.join(beside, wanted));
    } catch {
      return undefined;
    }
  };
  try {
    if (kind === 'scene') {
      const frames = await scene(text, { name, files, listed });
      return frames.draw(frames.numbers.indexOf(number), view).pixels;
    }
    return (await Model.open(files(name), { name, files, listed, clips })).thumbnail(options).pixels;
  } catch (error) {
    return error.kind ? undefined : Promise.reject(error);
  }
}

const WORKER = `
import { Model, scene } from '/package/index.js';
self.onmessage = async ({ data: { kind, name, text, number, view, folder, listed, clips, options } }) => {
  const files = (path) => {
    const request = new XMLHttpRequest();
    request.open('GET', new URL(path.split('/').map(encodeURIComponent).join('/'), location.origin + '/' + folder + '/').href, false);
    request.responseType = 'arraybuffer';
    request.send();
    return request.status === 200 ? new Uint8Array(request.response) : undefined;
  };
  try {
    let pixels;
    if (kind === 'scene') {
      const frames = await scene(text, { name, files, listed });
      pixels = frames.draw(frames.numbers.indexOf(number), view).pixels;
    } else {
      pixels = (await Model.open(files(name), { name, files, listed, clips })).thumbnail(options).pixels;
    }
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', pixels));
    self.postMessage([...digest].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
  } catch (error) {
    self.postMessage(error.kind ? 'refused' : 'failed: ' + error.message);
  }
};`;

const digestOf = (pixels) => (!pixels ? 'refused' : createHash('sha256').update(pixels).digest('hex'));
const temporary = mkdtempSync(path.join(tmpdir(), 'tintype-equality-'));
const folder = process.env.TINTYPE_MODELS;
const all = [...goldens(), ...(folder ? models(folder, temporary) : [])];
const here = fileURLToPath(new URL('..', import.meta.url));
const server = await serve({ package: here, scenes: path.join(root, 'scenes'), models: folder }, { page: '<!doctype html><title>equality</title>', 'worker.mjs': WORKER });
const [called, browser] = asked.browser === 'firefox' ? ['Firefox', new Firefox()] : ['Chromium', new Browser()];
const page = await browser.page();
await page.open(`${server.address}/page`);
await page.value(`globalThis.worker = new Worker('/worker.mjs', { type: 'module' }); 1`);
const counts = { same: 0, refused: 0, different: 0 };
for (const { wanted, ...one } of all) {
  const pixels = wanted();
  const native = digestOf(pixels);
  const node = digestOf(await drawn(one));
  const inBrowser = await page.value(`new Promise((done) => { worker.onmessage = ({ data }) => done(data); worker.postMessage(${JSON.stringify(one)}); })`);
  const isSame = native === node && native === inBrowser;
  counts[!isSame ? 'different' : native === 'refused' ? 'refused' : 'same'] += 1;
  if (!isSame) console.log(`${one.shown}: native ${native.slice(0, 12)}, Node ${node.slice(0, 12)}, ${called} ${inBrowser.slice(0, 80)}`);
}
await browser.close();
server.close();
rmSync(temporary, { recursive: true });
console.log(`${all.length} pictures: ${counts.same} with the bytes of the native program in Node and in ${called}, ${counts.refused} refused by all three, ${counts.different} different`);
process.exitCode = counts.different ? 1 : 0;
