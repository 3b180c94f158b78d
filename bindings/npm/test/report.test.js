// A report of failed goldens whose page turns the models, opened as a file, without a network.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Browser } from './support/chromium.js';
import { assets, env, native, program, temporary } from './support/native.js';

const here = fileURLToPath(new URL('..', import.meta.url));
const browser = new Browser();
test.after(() => browser.close());

const SCENE = `[output]
frames = "0-3"
fps = 4
look = "classic"
[camera]
azimuth_deg = 30
[[model]]
file = "../assets/ranger.glb"
[[instance]]
model = "ranger"
clip = "walk"
[golden]
frames = "0,2"
size = [80, 60]
`;

/** A checkout with a golden that fails: its model has another scale since. */
function project(scene = SCENE, file = 'ranger.glb') {
  const folder = temporary();
  const git = (...words) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: folder, stdio: 'pipe' });
  for (const name of ['scenes', 'assets']) mkdirSync(path.join(folder, name));
  copyFileSync(path.join(assets, file), path.join(folder, 'assets', file));
  writeFileSync(path.join(folder, 'scenes/walk.toml'), scene);
  native(folder, 'bless', '--all');
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'a');
  const model = path.join(folder, 'assets', file);
  writeFileSync(model, edited(readFileSync(model)));
  return folder;
}

/** The model with one node larger: the first joint's children come along. */
function edited(glb) {
  const length = glb.readUInt32LE(12);
  const json = JSON.parse(glb.toString('utf8', 20, 20 + length));
  const node = json.nodes.find(({ name }) => /head/i.test(name ?? '')) ?? json.nodes.at(-1);
  for (const { channels } of json.animations ?? []) {
    const at = json.nodes.indexOf(node);
    for (let k = channels.length - 1; k >= 0; k -= 1) if (channels[k].target.node === at && channels[k].target.path === 'scale') channels.splice(k, 1);
  }
  node.scale = [1.6, 1.6, 1.6];
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, 32)]);
  const out = Buffer.concat([glb.subarray(0, 20), padded, glb.subarray(20 + length)]);
  out.writeUInt32LE(out.length, 8);
  out.writeUInt32LE(padded.length, 12);
  return out;
}

const run = (folder, ...words) => spawnSync(program, ['--no-config', 'test', '--report', 'report', ...words], { cwd: folder, encoding: 'utf8', env });

async function turned(folder) {
  const page = await browser.page(1500, 1100);
  await page.open(pathToFileURL(path.join(folder, 'report/index.html')).href);
  await page.until('typeof current === "object" && current !== null');
  await page.value('document.getElementById("turn-open").click()');
  return page;
}

const viewer = (side) => `document.querySelector("#turn-${side} tintype-viewer")`;
const told = (page, id) => page.value(`document.getElementById("${id}").textContent`);
const bothStill = (page) => page.until(`${viewer('new')}.state === 'still' && ${viewer('old')}.state === 'still'`);

async function keep(page, name) {
  if (!process.env.TINTYPE_SCREENSHOTS) return;
  mkdirSync(process.env.TINTYPE_SCREENSHOTS, { recursive: true });
  await page.value('document.getElementById("turning").scrollIntoView()');
  writeFileSync(path.join(process.env.TINTYPE_SCREENSHOTS, `${name}.png`), await page.screenshot());
}

test('old and new model turn side by side, by one camera', async () => {
  const folder = project();
  const { status, stderr } = run(folder, '--against', 'HEAD', '--interactive', here);
  assert.equal(status, 1, stderr);
  assert.match(stderr, /the page shows the models of 2 failed goldens in a viewer: \d+\.\d [KM]iB/);
  const page = await turned(folder);
  await page.until(`document.getElementById("turn-new-same").textContent !== "" && document.getElementById("turn-old-same").textContent !== ""`);
  assert.equal(await told(page, 'turn-old-same'), 'First frame matches the golden byte for byte.');
  assert.equal(await told(page, 'turn-new-same'), 'First frame matches the new picture byte for byte.');
  await bothStill(page);
  await keep(page, 'report-before');
  const first = await told(page, 'turn-count');
  assert.match(first, /^[\d,]+ pixels differ$/);
  const place = await page.value(`(() => { const r = ${viewer('new')}.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 3]; })()`);
  await page.drag(place, [90, 10]);
  await page.until(`!["", ${JSON.stringify(first)}].includes(document.getElementById("turn-count").textContent)`);
  await bothStill(page);
  assert.deepEqual(await page.value(`${viewer('old')}.camera`), await page.value(`${viewer('new')}.camera`));
  await page.value(`(() => { const s = ${viewer('old')}.shadowRoot.getElementById('scrub'); s.value = 3; s.dispatchEvent(new Event('input')); })()`);
  assert.equal(await page.value(`${viewer('new')}.index`), 3, 'scrubbed together');
  await page.value('document.getElementById("turn-over").click()');
  await page.until('document.getElementById("turn-new").contains(document.getElementById("turn-diff"))');
  await bothStill(page);
  await keep(page, 'report-after');
});

test('models that are tested without scenes turn as well', async () => {
  const folder = project();
  const models = ['--models', 'assets', '--size', '80x60', '--moments', '2'];
  const now = readFileSync(path.join(folder, 'assets/ranger.glb'));
  copyFileSync(path.join(assets, 'ranger.glb'), path.join(folder, 'assets/ranger.glb'));
  native(folder, 'bless', ...models);
  writeFileSync(path.join(folder, 'assets/ranger.glb'), now);
  const { status, stderr } = run(folder, ...models, '--interactive', here);
  assert.equal(status, 1, stderr);
  const page = await turned(folder);
  await page.until(`document.getElementById("turn-new-same").textContent !== "" || document.getElementById("turn-notes").textContent.includes("does not turn")`);
  assert.equal(await told(page, 'turn-new-same'), 'First frame matches the new picture byte for byte.');
});

test('without the old model the new one turns, and the page says why', async () => {
  const folder = project();
  assert.equal(run(folder, '--interactive', here).status, 1);
  const page = await turned(folder);
  await page.until(`${viewer('new')}?.state === 'still'`);
  assert.match(await told(page, 'turn-notes'), /golden's model is unknown; compare with a revision that has it: --against/);
  assert.equal(await page.value(`${viewer('old')} === null`), true);
});

test('off by default, told where the package is, and small', () => {
  const folder = project();
  assert.equal(run(folder).status, 1);
  assert.ok(!readdirSync(path.join(folder, 'report/pictures')).includes('engine.js'));
  assert.doesNotMatch(readFileSync(path.join(folder, 'report/index.html'), 'utf8'), /wasm-unsafe-eval/);
  const { status, stderr } = run(folder, '--interactive', 'nowhere');
  assert.equal(status, 2);
  assert.match(stderr, /node_modules\/tintype after `npm install/);
  assert.equal(run(folder, '--against', 'HEAD', '--interactive', here).status, 1);
  const carried = path.join(folder, 'report/pictures/files');
  const bytes = readdirSync(carried).reduce((sum, name) => sum + statSync(path.join(carried, name)).size, 0);
  assert.ok(bytes > 0 && bytes < 4_000_000, `${bytes}`);
  assert.equal(run(folder).status, 1);
  assert.ok(!readdirSync(path.join(folder, 'report/pictures')).includes('files'), 'a report without them removes those of an earlier one');
});
