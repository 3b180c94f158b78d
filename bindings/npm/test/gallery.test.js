// A gallery whose page turns the models, opened as a file, without a network.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Browser } from './support/chromium.js';
import { assets, env, program, temporary } from './support/native.js';

const here = fileURLToPath(new URL('..', import.meta.url));
const browser = new Browser();
test.after(() => browser.close());

/** A folder of models with their textures and clips. */
function library() {
  const folder = temporary();
  mkdirSync(path.join(folder, 'models/textures'), { recursive: true });
  for (const name of ['ranger.glb', 'scarab.md5mesh', 'scarab_walk.md5anim']) copyFileSync(path.join(assets, name), path.join(folder, 'models', name));
  const textures = readdirSync(path.join(assets, 'textures')).filter((name) => name.startsWith('scarab'));
  for (const name of textures) copyFileSync(path.join(assets, 'textures', name), path.join(folder, 'models/textures', name));
  return folder;
}

const run = (folder, ...words) => spawnSync(program, ['--no-config', 'thumbnail', 'models', '--gallery', '-s', '64', ...words], { cwd: folder, encoding: 'utf8', env });
const VIEWER = 'document.querySelector("#detail tintype-viewer")';
const told = (page, id) => page.value(`document.getElementById("${id}").textContent`);

test('a click on a picture opens the model, which turns', async () => {
  const folder = library();
  const { status, stderr } = run(folder, '--interactive', here);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /the page shows 2 models in a viewer: \d+\.\d [KM]iB/);
  const page = await browser.page();
  await page.open(pathToFileURL(path.join(folder, 'out/thumbnails/index.html')).href);
  const opened = async (place) => {
    await page.value(`document.querySelectorAll(".card a")[${place}].click()`);
    await page.until(`["still", "error"].includes(${VIEWER}?.state) || document.getElementById("detail-message").textContent`);
    assert.equal(await told(page, 'detail-message'), '');
    assert.equal(await page.value(`${VIEWER}.shadowRoot.querySelector("[role=alert]").textContent`), '');
    assert.equal(await page.value(`${VIEWER}.shadowRoot.querySelector("details").hidden`), true, 'no texture is missing');
  };
  await opened(0);
  assert.match(await told(page, 'detail-facts'), /Viewer\d+\.\d MiB of files/);
  const camera = await page.value(`JSON.stringify(${VIEWER}.camera)`);
  await page.value(`${VIEWER}.shadowRoot.querySelector('.view').focus()`);
  await page.key('ArrowLeft');
  await page.until(`JSON.stringify(${VIEWER}.camera) !== ${JSON.stringify(camera)}`);
  assert.equal(await told(page, 'detail-name'), 'ranger.glb', 'its keys turn it, and go to no other model');
  await page.value('document.getElementById("close").click()');
  await page.until(`${VIEWER} === null`);
  await opened(1);
  assert.equal(await page.value(`${VIEWER}.getAttribute("clip")`), 'scarab_walk');
});

test('off by default, told where the package is, and removed by the next gallery', () => {
  const folder = library();
  assert.match(run(folder, '--interactive', 'nowhere').stderr, /node_modules\/tintype after `npm install/);
  assert.ok(!existsSync(path.join(folder, 'out/thumbnails')));
  assert.equal(run(folder, '--interactive', here).status, 0);
  assert.ok(existsSync(path.join(folder, 'out/thumbnails/pictures/engine.js')));
  assert.equal(run(folder).status, 0);
  assert.ok(!existsSync(path.join(folder, 'out/thumbnails/pictures')));
  assert.doesNotMatch(readFileSync(path.join(folder, 'out/thumbnails/index.html'), 'utf8'), /wasm-unsafe-eval|'self' file: blob/);
});
