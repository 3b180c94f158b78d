// Pages of the package by bundlers, in Chromium, and its types by TypeScript: `bundlers.js FOLDER`, which holds the package and the
// bundlers as `.ci/bundlers` installs them. The exit code is 1 where a bundler warns or a page does not draw what Node draws.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { thumbnail } from '../node.js';
import { Browser } from './support/chromium.js';
import { assets, serve } from './support/native.js';

const folder = path.resolve(process.argv[2]);
const write = (name, text) => writeFileSync(path.join(folder, name), text);
const run = (...words) => spawnSync('npx', ['--no-install', ...words], { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
let failed = 0;

function tell(name, problem) {
  console.log(`${name}: ${problem || 'ok'}`);
  failed += problem ? 1 : 0;
}

const html = (script) => `<!doctype html><meta charset="utf-8"><title>page</title>
<tintype-viewer src="/models/ranger.glb" size="64"></tintype-viewer>${script}`;
write('index.html', html('<script type="module" src="./page.js"></script>'));
write('page.js', `import { thumbnail } from 'tintype';
import 'tintype/viewer';
globalThis.drawn = thumbnail('/models/ranger.glb', { size: 64 }).then(({ pixels }) => [...pixels]);
`);
write('server.js', `import { thumbnail } from 'tintype';
import { TintypeViewer } from 'tintype/viewer';
thumbnail(process.argv[2], { size: 64 }).then(({ pixels }) => console.log(typeof TintypeViewer, JSON.stringify([...pixels])));
`);
const bundled = path.join(folder, 'node_modules/tintype');
/** Bundlers that leave addresses as they are have the files of the package beside the script. */
const FILES = ['tintype.wasm', 'worker.js', 'index.js'];
const PAGES = {
  // webpack recommends that no file is above 244 KiB, be it a script or not.
  webpack: { words: ['webpack', '--mode', 'production', '--no-performance', '--entry', './page.js', '-o', 'webpack'], script: 'main.js' },
  esbuild: { words: ['esbuild', 'page.js', '--bundle', '--outdir=esbuild'], script: 'page.js', files: FILES },
  'esbuild-esm': { words: ['esbuild', 'page.js', 'tintype/worker.js', '--bundle', '--format=esm', '--entry-names=[name]', '--outdir=esbuild-esm'], script: 'page.js', files: ['tintype.wasm'] },
  vite: { words: ['vite', 'build', '--outDir', 'vite', '--base', './'] },
  rollup: { words: ['rollup', '-p', 'node-resolve', 'page.js', '--dir', 'rollup'], script: 'page.js', files: FILES },
};
const SERVERS = {
  'webpack for Node': { words: ['webpack', '--mode', 'production', '--no-performance', '--target', 'node', '--entry', './server.js', '-o', 'webpack-node', '--output-filename', 'main.cjs'], script: 'webpack-node/main.cjs' },
  'esbuild for Node': { words: ['esbuild', 'server.js', '--bundle', '--platform=node', '--format=esm', '--outfile=esbuild-node/server.js'], script: 'esbuild-node/server.js', files: ['tintype.wasm'] },
  'Vite for Node': { words: ['vite', 'build', '--ssr', 'server.js', '--outDir', 'vite-node'], script: 'vite-node/server.js' },
};

/** Bundles; the words of a warning or an error, if there are any. */
function bundle(target, { words, files = [] }) {
  const { status, stdout, stderr } = run(...words);
  const said = `${stdout}${stderr}`;
  if (status !== 0 || /warn|error/i.test(said)) return said || `exit code ${status}`;
  mkdirSync(path.join(folder, target), { recursive: true });
  for (const name of files) copyFileSync(path.join(bundled, name), path.join(folder, target, name));
  return '';
}

const model = path.join(assets, 'ranger.glb');
const wanted = JSON.stringify([...(await thumbnail(model, { size: 64 })).pixels]);
const browser = new Browser();
const { address, close } = await serve({ models: assets, ...Object.fromEntries(Object.keys(PAGES).map((name) => [name, path.join(folder, name)])) });
const VIEWER = 'document.querySelector("tintype-viewer")';
for (const [name, how] of Object.entries(PAGES)) {
  let problem = bundle(name, how);
  if (!problem) {
    if (how.script) write(`${name}/index.html`, html(`<script ${name === 'esbuild' ? 'defer' : 'type="module"'} src="${how.script}"></script>`));
    const page = await browser.page();
    await page.open(`${address}/${name}/index.html`);
    const drawn = await page.value('drawn.then(JSON.stringify, String)');
    await page.until(`["still", "error"].includes(${VIEWER}.state)`);
    const told = await page.value(`${VIEWER}.shadowRoot.querySelector("[role=alert]").textContent`);
    problem = told || (drawn === wanted ? '' : drawn.slice(0, 200));
  }
  tell(name, problem);
}
await browser.close();
close();
for (const [name, how] of Object.entries(SERVERS)) {
  const problem = bundle(path.dirname(how.script), how);
  const { stdout, stderr } = problem ? {} : spawnSync(process.execPath, [how.script, model], { cwd: folder, encoding: 'utf8' });
  tell(name, problem || (stdout === `function ${wanted}\n` ? '' : `${stdout}${stderr}`.slice(0, 400)));
}

write('alone.mts', `import { Model, TintypeError, init, type Files, type Source } from 'tintype';
const source: Source = new Uint8Array(4);
const files: Files = (path) => (path.length > 3 ? null : new ArrayBuffer(2));
const model = await Model.open(source, { files });
const bytes: Uint8Array = model.thumbnail({ size: 64 }).toPng();
const sequence = model.turntable({ frames: 3 });
for await (const frame of sequence.frames({ signal: { throwIfAborted() {} } })) frame.pixels.fill(bytes.length);
const error = new TintypeError({ message: 'words', kind: 'write' });
if (error.kind === 'stopped' || sequence.clip?.periodS === 0) sequence.free();
await init(bytes);
// @ts-expect-error: a number is no source.
await Model.open(3);
`);
write('required.cts', `import tintype = require('tintype');
export const made: Promise<tintype.Frame> = tintype.thumbnail('a.glb');
`);
write('page.mts', `import { Model, init } from 'tintype';
import { TintypeViewer, embed } from 'tintype/viewer';
const model = await Model.open(new File([], 'a.glb'));
await Model.open(new URL('file:///a.glb'));
new Blob([model.thumbnail().toPng()]);
const picture: ImageData = model.thumbnail().toImageData();
const module: WebAssembly.Module = await init(fetch('tintype.wasm'));
for await (const frame of model.turntable().frames({ signal: new AbortController().signal })) frame.width;
const viewer: TintypeViewer = document.querySelector('tintype-viewer')!;
viewer.addEventListener('frame', ({ detail }) => detail.ms + picture.width);
viewer.addEventListener('error', ({ detail }) => detail.kind === 'file' && module);
viewer.addEventListener('click', ({ clientX }) => clientX);
embed({ index: '', worker: '', wasm: new Uint8Array(3) });
`);
write('viewed.mts', `import type { TintypeViewer } from 'tintype/viewer';
export const shown = (viewer: TintypeViewer) => viewer.camera?.eye;
`);
const check = (file, lib, ...more) => ['tsc', '--noEmit', '--strict', '--typeRoots', 'none', '--target', 'es2022', '--lib', lib, ...more, file];
const NODE = ['--module', 'nodenext'];
for (const words of [check('alone.mts', 'es2022', ...NODE), check('alone.mts', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'),
  check('required.cts', 'es2022', ...NODE), check('viewed.mts', 'es2022', ...NODE), check('page.mts', 'es2022,dom', ...NODE)]) {
  const { status, stdout } = run(...words);
  tell(words.slice(5).join(' '), status === 0 ? '' : stdout);
}
process.exitCode = failed ? 1 : 0;
