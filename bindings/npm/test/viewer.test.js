// The viewer element in Chromium: what it shows when it is still is the frame of the native program, byte for byte.
// TINTYPE_SCREENSHOTS names a folder in which pictures of the page are kept.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Browser } from './support/chromium.js';
import { assets, native, served, temporary } from './support/native.js';
import { decoded } from './support/png.js';

const here = fileURLToPath(new URL('..', import.meta.url));
const folder = temporary();
const page = (element) => `<!doctype html><meta charset="utf-8"><title>viewer</title><body style="margin:0">
${element}<script type="module" src="/package/viewer.js"></script>`;
const { address: site, asked } = await served({ package: here, models: assets, made: folder }, {
  ranger: page('<tintype-viewer src="/models/ranger.glb" clip="walk" size="160x120" background="#204060"></tintype-viewer>'),
  md5: page('<tintype-viewer src="/models/ranger.md5mesh" anim="ranger_walk.md5anim" look="classic" size="96"></tintype-viewer>'),
  fluid: page('<tintype-viewer src="/models/ranger.glb" style="width:800px"></tintype-viewer>'),
  autoplay: page('<tintype-viewer src="/models/ranger.glb" clip="walk" size="64" autoplay></tintype-viewer>'),
  missing: page('<tintype-viewer src="/models/nothing.glb"></tintype-viewer>'),
  broken: page('<tintype-viewer src="/made/broken.glb"></tintype-viewer>'),
  clip: page('<tintype-viewer src="/models/ranger.glb" clip="wlak"></tintype-viewer>'),
});
const browser = new Browser();
test.after(() => browser.close());

const VIEWER = 'document.querySelector("tintype-viewer")';
const IS_STILL = `${VIEWER}.state === "still"`;

/** Opens a page and waits until its viewer shows a whole picture. */
async function opened(name) {
  const view = await browser.page();
  await view.open(`${site}/${name}`);
  await view.until(`["still", "error"].includes(${VIEWER}.state)`);
  assert.equal(await view.value(`${VIEWER}.shadowRoot.querySelector("[role=alert]").textContent`), '');
  return view;
}

/** Does something that changes the view, and waits until it is shown. */
async function acted(view, act) {
  const seen = `JSON.stringify([${VIEWER}.camera, ${VIEWER}.timeS])`;
  const before = await view.value(seen);
  await act();
  await view.until(`${seen} !== ${JSON.stringify(before)} && ${IS_STILL}`);
}

/** Pixels of the canvas, as a script of the page reads them back. */
async function readBack(view) {
  await view.until(IS_STILL);
  const text = await view.value(`(() => { const c = ${VIEWER}.shadowRoot.querySelector('canvas');
    const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height); let s = '';
    for (let k = 0; k < data.length; k += 4096) s += String.fromCharCode(...data.subarray(k, k + 4096)); return btoa(s); })()`);
  return Buffer.from(text, 'base64');
}

let scenes = 0;

/** The frame of the native program for what the viewer shows. */
async function nativeFrame(view) {
  const text = await view.value(`${VIEWER}.toScene()`);
  const file = `${assets}/`;
  const scene = path.join(folder, `view${(scenes += 1)}.toml`);
  // The scene names the model beside it.
  writeFileSync(scene, text.replace(/\bfile = "/g, `file = "${file}`));
  return decoded(native(folder, 'render', scene, '-o', '-'));
}

async function assertSame(view) {
  const [ours, theirs] = [await readBack(view), await nativeFrame(view)];
  assert.equal(ours.length, theirs.length);
  const differing = ours.reduce((sum, byte, k) => sum + (byte === theirs[k] ? 0 : 1), 0);
  assert.equal(differing, 0, `${differing} of ${ours.length} bytes differ`);
  return ours;
}

async function keep(view, name) {
  if (!process.env.TINTYPE_SCREENSHOTS) return;
  mkdirSync(process.env.TINTYPE_SCREENSHOTS, { recursive: true });
  writeFileSync(path.join(process.env.TINTYPE_SCREENSHOTS, `${name}.png`), await view.screenshot());
}

test('a still view is the native frame, before and after drags, wheel, keys and scrubbing', async () => {
  const view = await opened('ranger');
  const first = await assertSame(view);
  await keep(view, 'viewer-before');
  await acted(view, () => view.drag([80, 60], [70, 20]));
  const turned = await assertSame(view);
  assert.ok(!turned.equals(first), 'a drag turns the model');
  await keep(view, 'viewer-after');
  await acted(view, () => view.wheel([80, 60], 300));
  const far = await assertSame(view);
  assert.ok(!far.equals(turned), 'the wheel zooms');
  await view.value(`${VIEWER}.shadowRoot.querySelector('.view').focus()`);
  for (const key of ['ArrowLeft', 'ArrowUp', '+']) await acted(view, () => view.key(key));
  assert.ok(!(await assertSame(view)).equals(far), 'keys turn and zoom');
  await acted(view, () => view.value(`(() => { const scrub = ${VIEWER}.shadowRoot.getElementById('scrub'); scrub.value = 437; scrub.dispatchEvent(new Event('input')); })()`));
  assert.equal(await view.value(`${VIEWER}.timeS`), 0.437);
  await assertSame(view);
  await acted(view, () => view.key('0'));
  await acted(view, () => view.value(`void (${VIEWER}.timeS = 0)`));
  assert.ok((await assertSame(view)).equals(first), '0 goes back to the first view');
});

test('another clip of the list', async () => {
  const view = await opened('ranger');
  const first = await readBack(view);
  const clips = await view.value(`[...${VIEWER}.shadowRoot.getElementById('clip').options].map((one) => one.value)`);
  assert.ok(clips.includes('walk') && clips.includes('bind'), String(clips));
  await view.value(`new Promise((done) => { const list = ${VIEWER}.shadowRoot.getElementById('clip'); ${VIEWER}.addEventListener('load', done, { once: true });
    list.value = 'bind'; list.dispatchEvent(new Event('change')); }).then(() => 1)`);
  assert.ok(!(await assertSame(view)).equals(first));
});

test('textures that are missing are told; files from memory complete a model', async () => {
  const view = await opened('md5');
  const warnings = `${VIEWER}.shadowRoot.querySelector('details').innerText`;
  assert.match(await view.value(warnings), /warnings?/);
  const textures = readdirSync(path.join(assets, 'textures')).filter((name) => name.startsWith('ranger')).map((name) => `textures/${name}`);
  await view.value(`(async () => { const files = {};
    for (const name of ${JSON.stringify([...textures, 'ranger_walk.md5anim'])}) files[name] = await (await fetch('/models/' + name)).arrayBuffer();
    const drawn = new Promise((done) => ${VIEWER}.addEventListener('frame', done, { once: true }));
    ${VIEWER}.source = { source: new URL('/models/ranger.md5mesh', location).href, files, clips: ['ranger_walk.md5anim'] };
    await drawn; return 1; })()`);
  assert.equal(await view.value(`${VIEWER}.shadowRoot.querySelector('details').hidden`), true, await view.value(warnings));
  await assertSame(view);
});

test('touch turns with one finger and zooms with two', async () => {
  const view = await opened('ranger');
  const first = await readBack(view);
  await view.touch('touchStart', [[60, 60]]);
  await acted(view, () => view.touch('touchMove', [[100, 60]]));
  await view.touch('touchEnd', []);
  const turned = await readBack(view);
  assert.ok(!turned.equals(first));
  const distance = () => view.value(`Math.hypot(...${VIEWER}.camera.eye.map((own, k) => own - ${VIEWER}.camera.target[k]))`);
  const before = await distance();
  await view.touch('touchStart', [[60, 60], [100, 60]]);
  await acted(view, () => view.touch('touchMove', [[40, 60], [120, 60]]));
  await view.touch('touchEnd', []);
  assert.ok((await distance()) < before * 0.8);
});

test('pictures are smaller while they move, and whole when they are still', async () => {
  const view = await opened('fluid');
  const whole = await view.value(`${VIEWER}.picture.width`);
  // So large that no machine draws it whole 30 times a second.
  const sizes = await view.value(`(async () => { const seen = []; const viewer = ${VIEWER};
    viewer.addEventListener('frame', ({ detail }) => seen.push(detail.size[0]));
    while (seen.length < 6) {
      viewer.shadowRoot.querySelector('.view').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }));
      await new Promise(requestAnimationFrame); }
    return seen; })()`);
  assert.ok(sizes.some((width) => width < whole), `${sizes} of ${whole}`);
  await view.until(IS_STILL);
  assert.deepEqual(await view.value(`[${VIEWER}.picture.width, ${VIEWER}.picture.height]`), [whole, whole]);
});

test('play moves the clip; with less motion nothing plays by itself', async () => {
  // It plays from the start, so that it is never still.
  const view = await browser.page();
  await view.open(`${site}/autoplay`);
  await view.until(`${VIEWER}?.timeS > 0`);
  assert.equal(await view.value(`${VIEWER}.shadowRoot.getElementById('play').ariaLabel`), 'Pause');
  await view.value(`${VIEWER}.shadowRoot.querySelector('.view').focus()`);
  await view.key(' ');
  assert.equal(await view.value(`${VIEWER}.playing`), false);
  const calm = await browser.page();
  await calm.prefer('prefers-reduced-motion', 'reduce');
  await calm.open(`${site}/autoplay`);
  await calm.until(IS_STILL);
  assert.equal(await calm.value(`${VIEWER}.playing`), false);
  await calm.value(`${VIEWER}.shadowRoot.getElementById('play').click()`);
  assert.equal(await calm.value(`${VIEWER}.playing`), true, 'its button plays');
  const changing = await browser.page();
  await changing.open(`${site}/autoplay`);
  await changing.until(`${VIEWER}.playing`);
  await changing.prefer('prefers-reduced-motion', 'reduce');
  await changing.until(`!${VIEWER}.playing`);
});

test('everything has a name for those who do not see it', async () => {
  const view = await opened('ranger');
  const { nodes } = await view.call('Accessibility.getFullAXTree');
  const told = nodes.filter(({ ignored }) => !ignored).map(({ role, name }) => `${role.value}: ${name?.value}`);
  for (const wanted of ['button: Play', 'slider: Moment of the clip', 'combobox: Clip', 'image: ranger.glb, ']) {
    assert.ok(told.some((line) => line.startsWith(wanted)), `${wanted} in ${told.join('\n')}`);
  }
  const view2 = nodes.find(({ role }) => role?.value === 'application');
  assert.match(view2.description.value, /Arrow keys turn the view/);
});

test('failures are told in words', async () => {
  writeFileSync(path.join(folder, 'broken.glb'), 'glTF?');
  const view = await browser.page();
  for (const [name, words] of [['missing', /nothing\.glb: 404/], ['broken', /broken\.glb/], ['clip', /did you mean "walk"/]]) {
    await view.open(`${site}/${name}`);
    await view.until(`${VIEWER}.state === "error"`);
    assert.match(await view.value(`${VIEWER}.shadowRoot.querySelector('[role=alert]').textContent`), words);
  }
});

test('a page that is opened as a file embeds the package', async () => {
  const text = (name) => readFileSync(path.join(here, name), 'utf8');
  const base64 = (bytes) => Buffer.from(bytes).toString('base64');
  const model = readFileSync(path.join(assets, 'ranger.glb'));
  writeFileSync(path.join(folder, 'page.html'), `<!doctype html><meta charset="utf-8"><tintype-viewer clip="walk" size="64"></tintype-viewer>
<script>
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
import(URL.createObjectURL(new Blob([${JSON.stringify(text('viewer.js')).replaceAll('</', '<\\/')}], { type: 'text/javascript' }))).then(({ embed }) => {
  embed({ index: ${JSON.stringify(text('index.js'))}, worker: ${JSON.stringify(text('worker.js'))}, wasm: bytes('${base64(readFileSync(path.join(here, 'tintype.wasm')))}') });
  document.querySelector('tintype-viewer').source = { name: 'ranger.glb', source: bytes('${base64(model)}') };
});
</script>`);
  const view = await browser.page();
  await view.open(pathToFileURL(path.join(folder, 'page.html')).href);
  await view.until(`["still", "error"].includes(${VIEWER}.state)`);
  assert.equal(await view.value(`${VIEWER}.shadowRoot.querySelector("[role=alert]").textContent`), '');
  await assertSame(view);
});

const STRICT = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
const besideRanger = ['textures/ranger.png', 'textures/ranger_local.png', 'textures/ranger_s.png', 'textures/ranger_eyes.png'];
const besideScarab = ['textures/scarab.png', 'textures/scarab_local.png', 'textures/scarab_s.png', 'scarab_idle.md5anim', 'scarab_walk.md5anim'];
const GREEN = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="lime"/></svg>')}`;
const more = await served({ package: here, models: assets }, {
  strict: `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${STRICT}"><tintype-viewer src="/models/ranger.glb"></tintype-viewer>
<script type="module" src="/package/viewer.js"></script>`,
  sized: page(`<style>tintype-viewer { width: 50%; height: 340px }</style><tintype-viewer src="/models/ranger.glb?v=1" clip="walk" poster='${GREEN}' alt="A ranger walks"></tintype-viewer>`),
  x: page('<tintype-viewer src="/models/ranger.x" size="96"></tintype-viewer>'),
  listed: page(`<tintype-viewer src="/models/ranger.x" size="96" files="${besideRanger.join(' ')}"></tintype-viewer>`),
  scarab: page(`<tintype-viewer src="/models/scarab.md5mesh" size="96" files="${besideScarab.join(' ')}"></tintype-viewer>`),
  posed: page(`<tintype-viewer size="96" poster='${GREEN}'></tintype-viewer>`),
  part: page('<tintype-viewer src="/models/ranger.glb" size="96" clip="walk:0.25s-0.5s"></tintype-viewer>'),
});

async function shownAt(name) {
  const view = await browser.page();
  await view.open(`${more.address}/${name}`);
  await view.until(`["still", "error"].includes(${VIEWER}.state)`);
  assert.equal(await view.value(`${VIEWER}.shadowRoot.querySelector("[role=alert]").textContent`), '');
  return view;
}

test('a strict policy for content allows styles and drawing', async () => {
  const view = await shownAt('strict');
  assert.deepEqual(await view.value(`[${VIEWER}.offsetWidth, getComputedStyle(${VIEWER}.shadowRoot.querySelector('canvas')).touchAction]`), [512, 'pan-y']);
});

test('width and height are those of CSS, with as many pixels', async () => {
  const view = await shownAt('sized');
  const [width, height, bar, seen] = await view.value(`[${VIEWER}.offsetWidth, ${VIEWER}.offsetHeight, ${VIEWER}.shadowRoot.querySelector('.bar').offsetHeight, [${VIEWER}.picture.width, ${VIEWER}.picture.height]]`);
  assert.deepEqual([width, height], [400, 340]);
  assert.deepEqual(seen, [400, 340 - bar]);
  await assertSame(view);
});

test('words tell what is shown, the clip, and from where it is seen', async () => {
  const view = await shownAt('sized');
  const status = `${VIEWER}.shadowRoot.getElementById('status').textContent`;
  assert.equal(await view.value(status), 'ranger.glb, 6,426 triangles, clip walk, 1.0 seconds');
  assert.equal(await view.value(`${VIEWER}.shadowRoot.querySelector('canvas').ariaLabel`), 'A ranger walks');
  await view.value(`${VIEWER}.shadowRoot.querySelector('.view').focus()`);
  for (let k = 0; k < 6; k += 1) await acted(view, () => view.key('ArrowLeft'));
  await view.until(`/^seen from the front, \\d+ degrees above$/.test(${status})`);
});

test('the poster is there until a picture is', async () => {
  const view = await browser.page();
  await view.open(`${more.address}/posed`);
  await view.until(`${VIEWER}.state === "loading" && ${VIEWER}.shadowRoot.querySelector("img").complete`);
  const shown = `getComputedStyle(${VIEWER}.shadowRoot.querySelector(".poster")).display`;
  assert.equal(await view.value(shown), 'block');
  await view.value(`void ${VIEWER}.setAttribute("src", "/models/ranger.glb")`);
  await view.until(IS_STILL);
  assert.equal(await view.value(shown), 'none');
});

test('over HTTP only names are asked for that the page or a file states, and the bytes are the native ones of the same files', async () => {
  const models = () => [...new Set(more.asked.splice(0))].filter((address) => address.startsWith('/models/')).map((address) => address.slice(8)).sort();
  models();
  await shownAt('x');
  assert.deepEqual(models(), ['ranger.x', 'textures/ranger.png', 'textures/ranger_eyes.png']);
  await assertSame(await shownAt('listed'));
  assert.deepEqual(models(), ['ranger.x', ...besideRanger].sort());
  const scarab = await shownAt('scarab');
  await assertSame(scarab);
  assert.match(await scarab.value(`${VIEWER}.toScene()`), /scarab_idle\.md5anim/);
});

test('the clip that plays is the one that the program chooses', async () => {
  const first = await shownAt('x');
  assert.match(native(folder, 'inspect', path.join(assets, 'ranger.x')).toString(), /idle/);
  assert.equal(await first.value(`${VIEWER}.shadowRoot.getElementById('clip').selectedOptions[0].text`), 'idle');
  const part = await shownAt('part');
  assert.equal(await part.value(`${VIEWER}.shadowRoot.getElementById('scrub').max`), '250');
  await assertSame(part);
});
