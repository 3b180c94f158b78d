#!/usr/bin/env node
// `npx tintype`: the first steps of the program for people without Rust.
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Model, diff } from './index.js';

const HELP = `Draws models without a GPU, with the same bytes as the native program.

  tintype thumbnail MODEL [-o DIR|FILE.png|.jpg|.webp] [-s 256] [--clip NAME] [-a CLIPFILE] [--background COLOR] [--look LOOK]
  tintype turntable MODEL [-o DIR|FILE.gif|.webp|.apng|####.png|####.jpg] [-n FRAMES] [--size WxH] [--clip NAME] [-a CLIPFILE] [--background COLOR] [--look LOOK]
  tintype diff A B

Exit codes: 0 done, or the same; 1 different; 2 bad usage or bad input. The native program has all commands: https://github.com/tintype/tintype`;

const OPTIONS = {
  output: { type: 'string', short: 'o' },
  size: { type: 'string', short: 's' },
  frames: { type: 'string', short: 'n' },
  clip: { type: 'string' },
  anim: { type: 'string', short: 'a', multiple: true },
  background: { type: 'string' },
  look: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
};

/** Writes a whole file or none. */
function write(file, bytes) {
  mkdirSync(path.dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}.partial`;
  writeFileSync(partial, bytes);
  renameSync(partial, file);
}

/** The format that the extension of a name says. */
const formatOf = (name) => path.extname(name).slice(1).toLowerCase();

/** Whether a name means a folder, as in the native program: it is one, ends with a slash, or has no extension and no frame number. */
function isFolder(name) {
  if (/[/\\]$/.test(name) || statSync(name, { throwIfNoEntry: false })?.isDirectory()) return true;
  return !/^\.[a-z][a-z0-9]+$/i.test(path.extname(name)) && !path.basename(name).includes('#');
}

/** Names of the frames: `0000.png` and on in a folder, or the number in place of `####`; nothing for one file of all frames. */
function frameNames(name) {
  const pattern = isFolder(name) ? path.join(name, '####.png') : name;
  const [before, marks, after] = path.basename(pattern).split(/(#+)/);
  if (marks === undefined) return undefined;
  return (index) => path.join(path.dirname(pattern), before + String(index).padStart(marks.length, '0') + after);
}

function tell(warnings) {
  for (const { place, message } of warnings) console.error(`warning: ${place ? `${place}: ` : ''}${message}`);
}

async function open(file, anim = []) {
  const folder = path.dirname(file);
  return Model.open(file, { clips: anim.map((clip) => path.relative(folder, clip)) });
}

async function run() {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [command, ...files] = positionals;
  if (values.help || !command) {
    console.log(HELP);
    return command || values.help ? 0 : 2;
  }
  const { output, clip, background, look, anim } = values;
  if (command === 'diff' && files.length === 2) {
    const { isSame, differences } = await diff(...files);
    console.log(isSame ? 'the same' : differences.join('\n'));
    return isSame ? 0 : 1;
  }
  if (!['thumbnail', 'turntable'].includes(command) || files.length !== 1) throw new Error(`unknown command line\n\n${HELP}`);
  const [file] = files;
  const model = await open(file, anim);
  const asked = { clip, background, look };
  if (command === 'thumbnail') {
    const size = values.size === undefined ? undefined : Number(values.size);
    const frame = model.thumbnail({ ...asked, size });
    tell(frame.warnings);
    const own = `${path.basename(file)}.png`;
    const name = output && isFolder(output) ? path.join(output, own) : output ?? own;
    write(name, frame.toBytes(formatOf(name)));
    console.error(name);
    return 0;
  }
  const size = values.size?.split('x').map(Number);
  const frames = values.frames === undefined ? undefined : Number(values.frames);
  const sequence = model.turntable({ ...asked, size, frames });
  tell(sequence.warnings);
  const target = output ?? path.join('out', path.basename(file), '');
  const nameOf = frameNames(output === undefined ? `${target}/` : output);
  if (nameOf === undefined) {
    write(target, sequence.toBytes(formatOf(target)));
    console.error(`${sequence.length} frames, ${target}`);
    return 0;
  }
  let index = 0;
  for (const frame of sequence) {
    write(nameOf(index), frame.toBytes(formatOf(nameOf(index)) || 'png'));
    index += 1;
  }
  console.error(`${index} frames, ${target}`);
  return 0;
}

run().then(
  (code) => { process.exitCode = code; },
  (error) => {
    console.error(`error: ${error.message}`);
    process.exitCode = 2;
  },
);
