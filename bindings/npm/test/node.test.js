// The doors of the package in Node: addresses of files, `require`, pages that are drawn on a server, models with several sequences.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Model, TintypeError, scene, thumbnail } from '../node.js';
import { assets, root } from './support/native.js';

const here = fileURLToPath(new URL('..', import.meta.url));
const file = path.join(assets, 'ranger.x');

test('a model is named by its path, or by its address as a text or an object', async () => {
  const [wanted, ...others] = await Promise.all([file, pathToFileURL(file), pathToFileURL(file).href].map((source) => thumbnail(source, { size: 32 })));
  for (const frame of others) assert.deepEqual(frame.pixels, wanted.pixels);
  assert.deepEqual(wanted.warnings, []);
});

test('sequences of one model stand side by side', async () => {
  const model = await Model.open(file);
  const alone = (options) => model.turntable(options).draw(1).pixels;
  const options = [{ frames: 2, size: 24, clip: 'walk' }, { frames: 3, size: 32, clip: 'bind' }];
  const wanted = options.map(alone);
  const [walk, bind] = options.map((one) => model.turntable(one));
  assert.deepEqual([walk.draw(1).pixels, bind.draw(1).pixels, walk.draw(1).pixels], [...wanted, wanted[0]]);
  assert.deepEqual([walk.clip.name, bind.clip], ['walk', null]);
  walk.free();
  assert.throws(() => walk.draw(0), { message: 'these frames were already released' });
  assert.deepEqual(bind.draw(1).pixels, wanted[1]);
});

test('mistakes are told by the name of the option, in words of JavaScript', async () => {
  const model = await Model.open(file);
  const loop = model.turntable({ frames: 1, size: 16 });
  const mistakes = [
    [() => loop.draw('x'), 'index: "x"; expected a whole number from 0'],
    [() => loop.draw(-1), 'index: -1; expected a whole number from 0'],
    [() => loop.draw(0, 7), 'view: 7; expected an object'],
    [() => loop.draw(0, { siz: 3 }), 'unknown option "siz"; did you mean "size"?'],
    [() => loop.draw(0, { size: 'x' }), 'size: "x"; expected a whole number of pixels, or width and height'],
    [() => loop.draw(0, { timeS: 'x' }), 'timeS: x; expected a number'],
    [() => loop.draw(0, { camera: { eye: [1, 2], target: [0, 0, 0] } }), 'eye: [1,2]; expected a list of three numbers'],
    [() => loop.toBytes(3), 'format: 3; expected a string'],
    [() => model.thumbnail({ size: 1.5 }), 'size: 1.5; expected a whole number of pixels'],
    [() => model.pose({ timeS: 'x' }), 'timeS: "x"; expected a number of seconds'],
    [() => Model.open(file, { clips: 'x' }), 'clips: "x"; expected a list of paths'],
    [() => scene(3), 'scene: 3; expected a string'],
    [() => Model.open('nothing.glb'), 'nothing.glb: no such file'],
    [() => Model.open(assets), `${assets}: expected a model, found a folder`],
  ];
  for (const [act, message] of mistakes) await assert.rejects(async () => act(), (error) => error instanceof TintypeError && error.message === message, message);
  await assert.rejects(Model.open('nothing.glb'), { code: 'ENOENT', kind: 'file' });
  assert.throws(() => loop.toBytes('mp4'), { kind: 'write' });
  await assert.rejects(Model.open(3), { name: 'TypeError', message: /found number; expected bytes/ });
});

test('require gives the same names and pictures', async () => {
  execFileSync(path.join(here, 'commonjs'));
  const required = createRequire(import.meta.url)('../node.cjs');
  assert.deepEqual(Object.keys(required).sort(), Object.keys(await import('../node.js')).sort());
  const [ours, theirs] = [await thumbnail(file, { size: 24 }), await required.thumbnail(file, { size: 24 })];
  assert.deepEqual(theirs.pixels, ours.pixels);
});

test('the viewer is imported where there is no page, and browsers get no word of Node', async () => {
  assert.equal(typeof (await import('../viewer.js')).TintypeViewer, 'function');
  for (const name of ['index.js', 'viewer.js', 'worker.js']) assert.doesNotMatch(readFileSync(path.join(here, name), 'utf8'), /node:/);
  const { exports } = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'));
  assert.equal(exports['.'].browser.default, './index.js');
});

test('3DS, Blitz3D, STL and PLY files are opened', async () => {
  const seeds = path.join(root, 'tests/fuzz/seeds');
  for (const [name, clips] of [['imp.3ds', 1], ['imp.b3d', 1], ['imp.stl', 0], ['imp_binary.stl', 0], ['imp.ply', 0], ['imp_binary.ply', 0]]) {
    const model = await Model.open(path.join(seeds, name));
    assert.equal(model.clips.length, clips, name);
    assert.equal((await thumbnail(path.join(seeds, name), { size: 32 })).pixels.length, 32 * 32 * 4, name);
  }
});
