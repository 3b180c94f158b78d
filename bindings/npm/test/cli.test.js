// The command of the package writes under the names that the native program gives.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { assets, temporary } from './support/native.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const model = path.join(assets, 'ranger.glb');
const folder = temporary();

const run = (...words) => execFileSync(process.execPath, [path.join(here, '../cli.js'), ...words], { cwd: folder, stdio: 'pipe' });
const turn = (output) => run('turntable', model, '-n', '2', '--size', '16x16', '-o', output);

test('a name without an extension, with a slash at its end, or of a folder takes the frames', () => {
  mkdirSync(path.join(folder, 'there.gif'));
  for (const name of ['new', 'slash.png/', 'there.gif', 'v1.2']) {
    turn(name);
    assert.deepEqual(readdirSync(path.join(folder, name)), ['0000.png', '0001.png'], name);
  }
  run('thumbnail', model, '-s', '16', '-o', 'pics/');
  assert.deepEqual(readdirSync(path.join(folder, 'pics')), ['ranger.glb.png']);
});

test('a frame number makes a file for each frame, an extension one of all', () => {
  turn('walk.##.jpg');
  assert.ok(existsSync(path.join(folder, 'walk.01.jpg')));
  turn('walk.gif');
  assert.equal(readFileSync(path.join(folder, 'walk.gif')).subarray(0, 6).toString(), 'GIF89a');
  assert.throws(() => turn('walk.png'), /expected/);
  assert.throws(() => turn('walk.avi'), /expected/);
});

test('mistakes are told in one line, and nothing is drawn for them', () => {
  const mistakes = [
    [['thumbnail', model, '--siz', '3'], '--siz: tintype thumbnail has no such option; did you mean --size?'],
    [['thumbnail', model, '-n', '3'], '-n: tintype thumbnail has no such option'],
    [['thumbnai', model], 'thumbnai: unknown command; did you mean thumbnail?'],
    [['thumbnail', 'nothing.glb'], 'nothing.glb: no such file'],
    [['diff', model, '.'], '.: expected a model, found a folder'],
    [['thumbnail', model, '-s', 'x'], '--size: "x"; expected width and height, such as 256x256, or one number for both'],
    [['thumbnail', model, '-s', ''], '--size: ""; expected width and height, such as 256x256, or one number for both'],
    [['thumbnail', model, '-s', '64x32'], '--size: "64x32"; a thumbnail is square, such as 256x256'],
    [['turntable', model, '--count', '1.5'], '--count: "1.5"; expected a whole number above 0'],
    [['thumbnail', model, '--exposure', '-1'], '--exposure: -1 is out of range; expected above 0, at most 1000'],
    [['turntable', model, '--azimuth', 'wide'], '--azimuth: found the string "wide"; expected a number'],
    [['diff', model], 'tintype diff takes two models; 1 given'],
  ];
  const before = readdirSync(folder);
  for (const [words, told] of mistakes) {
    assert.throws(() => run(...words), ({ status, stderr }) => status === 2 && stderr.toString() === `error: ${told}\n`, told);
  }
  assert.deepEqual(readdirSync(folder), before);
});
