// The pictures of the module are those of the native program, pixel for pixel. TINTYPE_BIN names the program.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Model, diff, inspect, meshBytes, scene, thumbnail } from '../node.js';
import { assets, native as run, root, temporary } from './support/native.js';

const folder = temporary();
const native = (...words) => run(folder, ...words);

/** Fails with the report of the program if the pixels differ. */
function same(frame, file) {
  const ours = path.join(folder, 'ours.png');
  writeFileSync(ours, frame.toPng());
  try {
    native('diff', ours, file);
  } catch (error) {
    assert.fail(`${file}: ${error.stdout}${error.stderr}`);
  }
}

for (const name of ['ranger.glb', 'ranger.x', 'ranger.md5mesh', 'scarab.md5mesh', 'lantern.md5mesh']) {
  test(`thumbnail of ${name}`, async () => {
    const file = path.join(assets, name);
    native('thumbnail', file, '-s', '128', '-o', `${name}.png`);
    // Clips beside a model of MD5 are chosen by the program alone.
    const [clip] = name === 'scarab.md5mesh' ? ['scarab_idle.md5anim'] : name === 'ranger.md5mesh' ? ['ranger_idle.md5anim'] : [];
    if (clip) native('thumbnail', file, '-s', '128', '-a', path.join(assets, clip), '-o', `${name}.png`);
    same(await thumbnail(file, { size: 128, clips: clip ? [clip] : [] }), path.join(folder, `${name}.png`));
  });
}

test('turntable', async () => {
  const file = path.join(assets, 'ranger.glb');
  native('turntable', file, '--clip', 'walk', '-n', '3', '--size', '96x64', '--shadow', '--ground', '-o', 'turn');
  const model = await Model.open(file);
  const sequence = model.turntable({ clip: 'walk', frames: 3, size: [96, 64], shadow: true, ground: true });
  const told = [];
  let index = 0;
  for await (const frame of sequence.frames({ onProgress: (done, all) => told.push([done, all]) })) {
    same(frame, path.join(folder, `turn/000${index}.png`));
    index += 1;
  }
  assert.deepEqual(told, [[1, 3], [2, 3], [3, 3]]);
  const stopped = AbortSignal.abort();
  await assert.rejects(async () => { for await (const frame of sequence.frames({ signal: stopped })) frame; }, { name: 'AbortError' });
});

test('a contact sheet has the pixels and the legend of the native program', async () => {
  const file = path.join(assets, 'ranger.glb');
  native('turntable', file, '--clip', 'walk', '--directions', '2', '-n', '2', '--size', '128x96', '--contact-sheet', 'sheet.png');
  const model = await Model.open(file);
  const { frame, legend } = model.contactSheet({ clips: ['walk'], directions: 2, frames: 2, size: [128, 96] });
  same(frame, path.join(folder, 'sheet.png'));
  const { model: name, ...others } = JSON.parse(readFileSync(path.join(folder, 'sheet.json'), 'utf8'));
  assert.deepEqual(legend, { ...others, model: path.basename(name) });
  assert.equal(legend.cells.length, 4);
  assert.equal(model.contactSheet({ size: 128, directions: 1, frames: 1 }).legend.cells.length, 1);
  const refused = (options, message) => assert.throws(() => model.contactSheet(options), { message });
  refused({ clip: 'walk' }, /unknown option "clip"; did you mean "clips"/);
  refused({ clips: 'walk' }, /clips: "walk"; expected a list of names of clips/);
  refused({ clips: ['wlak'] }, /no clip "wlak"/);
  refused({ size: 64 }, /cells of 64 pixels are too narrow/);
});

test('an inspection has the data and the text of the native program', async () => {
  const seeds = path.join(root, 'tests/fuzz/seeds');
  const files = [[assets, 'ranger.glb'], [assets, 'scarab.md5mesh'], [assets, 'scarab_idle.md5anim'], [assets, 'ranger.x', ['--ticks-per-second', '30'], { ticksPerSecond: 30 }],
    [assets, 'ranger.md5mesh', ['-a', 'ranger_walk.md5anim'], { clips: ['ranger_walk.md5anim'] }], [seeds, 'imp.ply'], [path.join(root, 'scenes'), 'walk.toml', ['-j', '1']]];
  for (const [where, name, words = [], options = {}] of files) {
    const said = (...more) => String(run(where, 'inspect', name, ...words, ...more));
    const found = await inspect(path.join(where, name), options);
    assert.deepEqual({ ...found }, JSON.parse(said('--json')), name);
    assert.equal(found.toText(), said(), name);
    assert.equal(found.toText({ tree: true }), said('--tree'), name);
  }
  const bytes = readFileSync(path.join(assets, 'ranger.glb'));
  assert.equal((await inspect(bytes, { name: 'a.glb' })).models[0].name, 'a');
  await assert.rejects(inspect(bytes, { name: 'a.md5anim' }), { kind: 'file', message: /a\.md5anim/ });
  await assert.rejects(inspect(bytes, { tiksPerSecond: 3 }), { kind: 'option', message: /did you mean "ticksPerSecond"/ });
  const broken = await inspect(new TextEncoder().encode('[output]\nsise = 3\n'), { name: 'a.toml' }).catch((error) => error);
  assert.ok(broken.diagnostics.some(({ help }) => /size/.test(help ?? '')), String(broken));
});

test('settings are said by the words of the native program, and refused as there', async () => {
  const file = path.join(assets, 'ranger.glb');
  const words = ['--exposure', '1.5', '--azimuth', '-70', '--background', '#204060,#101010', '--occlusion', '0', '--tone', 'none', '--clip', 'walk', '--time', '0.2'];
  native('thumbnail', file, '-s', '64', ...words, '-o', 'said.png');
  const model = await Model.open(file);
  const said = { exposure: 1.5, azimuthDeg: -70, background: '#204060,#101010', occlusion: 0, tone: 'none', clip: 'walk', timeS: 0.2 };
  same(model.thumbnail({ size: 64, ...said }), path.join(folder, 'said.png'));
  native('turntable', file, '-s', '64', '-n', '1', ...words, '-o', 'said');
  same(model.turntable({ size: 64, frames: 1, ...said }).draw(0), path.join(folder, 'said/0000.png'));
  const refused = (options, message) => assert.throws(() => model.thumbnail(options), { message });
  refused({ exposure: 0 }, /exposure: 0 is out of range; expected above 0, at most 1000/);
  refused({ shade: 'clya' }, /shade: unknown shade "clya".*did you mean "clay"/);
  refused({ exposre: 1 }, /unknown option "exposre"; did you mean "exposure"/);
  refused({ samples: Number.NaN }, /samples/);
  refused({ turnDeg: 9 }, /unknown option "turnDeg"/);
});

test('scene', async () => {
  const file = path.join(root, 'scenes/walk.toml');
  native('render', file, '-f', '0', '-o', 'walk.png');
  const frames = await scene(readFileSync(file, 'utf8'), { files: (name) => {
    try { return readFileSync(path.join(root, 'scenes', name)); } catch { return null; }
  } });
  same(frames.draw(0), path.join(folder, 'walk.png'));
});

test('files are of the format that is asked for', async () => {
  const model = await Model.open(path.join(assets, 'ranger.glb'));
  const begins = (bytes, text) => assert.equal(Buffer.from(bytes).subarray(0, text.length).toString('latin1'), text);
  const frame = model.thumbnail({ size: 32 });
  begins(frame.toBytes(), '\x89PNG');
  begins(frame.toBytes('jpg'), '\xff\xd8\xff');
  begins(frame.toBytes('webp'), 'RIFF');
  assert.throws(() => frame.toBytes('gif'), { message: /expected png, jpg, webp/ });
  const loop = model.turntable({ frames: 3, size: 24 });
  begins(loop.toBytes('gif'), 'GIF89a');
  begins(loop.toBytes('apng'), '\x89PNG');
  assert.equal(Buffer.from(loop.toBytes('webp')).toString('latin1').split('ANMF').length - 1, 3);
  assert.throws(() => loop.toBytes('mp4'), { message: /expected webp, gif, apng/ });
});

test('errors name their cause', async () => {
  await assert.rejects(Model.open(new Uint8Array([1, 2, 3]), { name: 'a.glb' }), { kind: 'file', message: /a\.glb/ });
  const model = await Model.open(path.join(assets, 'ranger.glb'));
  assert.throws(() => model.thumbnail({ clip: 'wlak' }), { kind: 'name', message: /no clip "wlak"; .*walk/ });
  assert.throws(() => model.thumbnail({ siz: 3 }), { kind: 'option', message: /siz/ });
  assert.throws(() => model.turntable({ look: 'stdio' }), { message: /studio/ });
  assert.throws(() => model.thumbnail({ size: Number('64x64') }), { kind: 'option', message: /size: NaN/ });
  await assert.rejects(scene('[output]\nsise = 3\n'), (error) => error.diagnostics.some(({ help }) => /size/.test(help ?? '')));
});

test('poses and differences', async () => {
  const model = await Model.open(path.join(assets, 'ranger.glb'));
  native('pose', path.join(assets, 'ranger.glb'), '--clip', 'walk', '--time', '0.25', '-o', 'p.obj');
  assert.equal(model.pose({ clip: 'walk', timeS: 0.25 }), readFileSync(path.join(folder, 'p.obj'), 'utf8'));
  assert.equal((await diff(model, model)).isSame, true);
  const other = await diff(path.join(assets, 'ranger.glb'), path.join(assets, 'ranger.x'));
  assert.equal(other.isSame, false);
  const [first] = other.differences;
  assert.ok(first.text.includes(first.finding.stage) && first.finding.kind && first.finding.of.element);
});

test('arrays are a mesh, and channels are what each pixel shows', async () => {
  const positions = new Float64Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
  const triangles = [[0, 1, 2], [0, 2, 3]];
  const color = [1, 0, 0, 1];
  const model = await Model.fromArrays({ positions, triangles, color });
  assert.deepEqual(model.meshes.map((mesh) => mesh.triangles), [2]);
  const codes = new Uint8Array([255, 0, 0, 255].flatMap((code, at, all) => (at === 0 ? [...all, ...all, ...all, ...all] : [])));
  const other = await Model.fromArrays({ positions, triangles: new Uint16Array(triangles.flat()), colors: codes });
  assert.deepEqual(other.thumbnail({ size: 64 }).pixels, model.thumbnail({ size: 64 }).pixels);

  const body = await meshBytes({ positions, triangles, weights: [1, 1, 1, 1], color });
  const frames = await scene('[[model]]\nname = "body"\nfile = "body.glb"', { files: { 'body.glb': body } });
  const k = [[60, 0, 32], [0, 60, 24], [0, 0, 1]];
  const camera = { k, rt: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, -4]], size: [64, 48], convention: 'opengl' };
  const view = { camera, size: [64, 48], channels: ['depth', 'instance', 'position'] };
  const still = frames.draw(0, view);
  const middle = 24 * 64 + 32;
  assert.ok(Math.abs(still.channels.depth[middle] - 4) < 1e-5);
  assert.equal(still.channels.depth[0], 0);
  assert.equal(still.legend.instance[still.channels.instance[middle] - 1], 'body');
  assert.equal(still.channels.position.length, 3 * 64 * 48);
  assert.deepEqual(still.pixels, frames.draw(0, { camera, size: [64, 48] }).pixels);

  // Nearer by one: as vertices, as matrices of joints, and as the matrix of the instance.
  const nearer = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]];
  const moved = positions.map((number, at) => (at % 3 === 2 ? number + 1 : number));
  for (const given of [{ vertices: { body: moved } }, { joints: { 0: [nearer] } }, { transforms: { body: nearer } }]) {
    const frame = frames.draw(0, { ...view, ...given });
    assert.ok(Math.abs(frame.channels.depth[middle] - 3) < 1e-5, JSON.stringify(Object.keys(given)));
  }

  const refused = (made, message) => assert.rejects(async () => made(), { name: 'TintypeError', message });
  await refused(() => meshBytes({ positions, triangles: [[0, 1, 9]] }), /triangles\[0\] = \[0, 1, 9\] refers to a vertex beyond the 4 given/);
  await refused(() => meshBytes({ positions: [1, 2], triangles }), /positions: 2 numbers; expected a multiple of 3/);
  await refused(() => meshBytes({ positions, triangles: [0, 1, -1] }), /triangles\[2\]: -1; expected a whole number from 0/);
  await refused(() => meshBytes({ positions, triangles, uvs: [] }), /unknown array "uvs"/);
  await refused(() => frames.draw(0, { channels: ['dpeth'] }), /did you mean "depth"/);
  await refused(() => frames.draw(0, { vertices: { nobody: moved } }), /vertices: no instance "nobody"; instances: body/);
  await refused(() => frames.draw(0, { camera: { k, eye: [0, 0, 1], rt: camera.rt, size: [64, 48] } }), /eye cannot be combined/);
});
