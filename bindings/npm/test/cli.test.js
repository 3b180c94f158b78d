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
