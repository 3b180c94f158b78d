#!/usr/bin/env node
// `npx tintype`: the first steps of the program for people without Rust.
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Model, diff } from './node.js';
import { SETTINGS } from './settings.js';

const HELP = `Draws models without a GPU, with the same bytes as the native program.

  tintype thumbnail MODEL [-o DIR|FILE.png|.jpg|.webp] [-s 256] [-a CLIPFILE] [SETTINGS]
  tintype turntable MODEL [-o DIR|FILE.gif|.webp|.apng|####.png|####.jpg] [-n COUNT] [--size WxH] [-a CLIPFILE] [SETTINGS]
  tintype diff A B

Settings, as in the native program: ${SETTINGS.filter(({ option }) => option !== 'size').map(({ option }) => `--${option}`).join(' ')}

Exit codes: 0 done, or the same; 1 different; 2 bad usage or bad input. The native program has all commands: https://github.com/tintype/tintype`;

const settingsOf = (command) => SETTINGS.filter(({ option, commands }) => option !== 'size' && commands.includes(command));
const picture = (command) => ({
  output: { type: 'string', short: 'o' },
  size: { type: 'string', short: 's' },
  anim: { type: 'string', short: 'a', multiple: true },
  ...Object.fromEntries(settingsOf(command).map(({ option, kind }) => [option, { type: kind === 'flag' ? 'boolean' : 'string' }])),
});
const COMMANDS = {
  thumbnail: { files: 1, options: picture('thumbnail') },
  turntable: { files: 1, options: { ...picture('turntable'), count: { type: 'string', short: 'n' }, frames: { type: 'string' } } },
  diff: { files: 2, options: {} },
};

/** The settings that the words of a command say; what is no number stays a text, which is refused with its name. */
function said(command, values) {
  const number = (word) => (word.trim() === '' || Number.isNaN(Number(word)) ? word : Number(word));
  const given = settingsOf(command).filter(({ option }) => values[option] !== undefined);
  return Object.fromEntries(given.map(({ name, option, kind }) => [name, kind === 'number' ? number(values[option]) : values[option]]));
}

/** A mistake with the option in place of the name of its setting. */
function byOption(error) {
  const own = SETTINGS.find(({ name }) => error.message.startsWith(`${name}: `));
  if (own) error.message = `--${own.option}${error.message.slice(own.name.length)}`;
  return error;
}

/** Words in which a negative number is the value of the option before it. */
const joined = (args) => args.reduce((words, word) => {
  const before = words.at(-1) ?? '';
  const isValue = /^-[\d.]/.test(word) && /^--[a-z-]+$/.test(before);
  return isValue ? [...words.slice(0, -1), `${before}=${word}`] : [...words, word];
}, []);

/** The known word that is nearest to a mistyped one, as the end of a sentence; nothing if none is near. */
function near(word, known, mark = '') {
  const distance = (a, b) => {
    let row = Array.from({ length: b.length + 1 }, (_, k) => k);
    for (let i = 1; i <= a.length; i += 1) {
      const next = [i];
      for (let k = 1; k <= b.length; k += 1) next[k] = Math.min(row[k] + 1, next[k - 1] + 1, row[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1));
      row = next;
    }
    return row[b.length];
  };
  const [best] = known.map((one) => [distance(word, one), one]).sort(([a], [b]) => a - b);
  return best && best[0] <= Math.min(2, word.length - 1) ? `; did you mean ${mark}${best[1]}?` : '';
}

/** The options and files of a command; a mistake is told as the native program does. */
function parsed(command, args) {
  const { files: count, options } = COMMANDS[command];
  try {
    const { values, positionals } = parseArgs({ args: joined(args), options, allowPositionals: true });
    if (positionals.length !== count) throw new Error(`tintype ${command} takes ${count === 1 ? 'one model' : 'two models'}; ${positionals.length} given`);
    return { values, files: positionals };
  } catch (error) {
    if (error.code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw error;
    const [, option] = /'(-[^']+)'/.exec(error.message);
    throw new Error(`${option}: tintype ${command} has no such option${near(option.replace(/^-+/, ''), Object.keys(options), '--')}`);
  }
}

/** The number that a word means; all of it must be one. */
function whole(option, word) {
  if (!/^[1-9]\d*$/.test(word)) throw new Error(`${option}: ${JSON.stringify(word)}; expected a whole number above 0`);
  return Number(word);
}

/** Width and height of `WxH`, or of the side of a square. */
function sides(word) {
  const found = /^(\d+)(?:x(\d+))?$/.exec(word);
  if (!found) throw new Error(`--size: ${JSON.stringify(word)}; expected width and height, such as 256x256, or one number for both`);
  return [Number(found[1]), Number(found[2] ?? found[1])];
}

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

/** One line in which a name can neither drive a terminal nor be a command for the service that reads a log. */
function shown(line) {
  const escaped = (letter) => (letter === '\n' ? '\\n' : `\\u{${letter.codePointAt(0).toString(16)}}`);
  return line.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu, escaped)
    .replace(/(##[a-z]*)\[/gi, '$1\\u{5b}').replace(/^(\s*):(?=:)/, '$1\\u{3a}');
}

const say = (line) => console.error(shown(line));

function tell(warnings) {
  for (const { place, message } of warnings) say(`warning: ${place ? `${place}: ` : ''}${message}`);
}

async function open(file, anim = []) {
  if (statSync(file).isDirectory()) throw new Error(`${file}: expected a model, found a folder`);
  const folder = path.dirname(file);
  return Model.open(file, { clips: anim.map((clip) => path.relative(folder, clip)) });
}

async function run() {
  const [command, ...args] = process.argv.slice(2);
  const asksForHelp = command === 'help' || [command, ...args].some((word) => word === '-h' || word === '--help');
  if (command === undefined || asksForHelp) {
    console.log(HELP);
    return asksForHelp ? 0 : 2;
  }
  if (!Object.hasOwn(COMMANDS, command)) throw new Error(`${command}: unknown command${near(command, Object.keys(COMMANDS))}`);
  const { values, files } = parsed(command, args);
  const { output, clip, anim } = values;
  if (command === 'diff') {
    const { isSame, differences } = await diff(await open(files[0]), await open(files[1]));
    console.log(isSame ? 'the same' : differences.map(({ text }) => shown(text)).join('\n'));
    return isSame ? 0 : 1;
  }
  const [file] = files;
  const size = values.size === undefined ? undefined : sides(values.size);
  if (command === 'thumbnail' && size && size[0] !== size[1]) throw new Error(`--size: ${JSON.stringify(values.size)}; a thumbnail is square, such as 256x256`);
  const count = values.count ?? values.frames;
  const frames = count === undefined ? undefined : whole('--count', count);
  if (anim?.length > 1 && clip === undefined) throw new Error(`--anim: ${anim.length} files, but only one clip plays; select it with --clip NAME`);
  const model = await open(file, anim);
  const asked = said(command, values);
  if (command === 'thumbnail') {
    const frame = model.thumbnail({ ...asked, size: size?.[0] });
    tell(frame.warnings);
    const own = `${path.basename(file)}.png`;
    const name = output && isFolder(output) ? path.join(output, own) : output ?? own;
    write(name, frame.toBytes(formatOf(name)));
    say(name);
    return 0;
  }
  const sequence = model.turntable({ ...asked, size, frames });
  tell(sequence.warnings);
  const target = output ?? path.join('out', path.basename(file), '');
  const nameOf = frameNames(output === undefined ? `${target}/` : output);
  if (nameOf === undefined) {
    write(target, sequence.toBytes(formatOf(target)));
    say(`${sequence.length} frames, ${target}`);
    return 0;
  }
  let index = 0;
  for (const frame of sequence) {
    write(nameOf(index), frame.toBytes(formatOf(nameOf(index)) || 'png'));
    index += 1;
  }
  say(`${index} frames, ${target}`);
  return 0;
}

run().then(
  (code) => { process.exitCode = code; },
  (error) => {
    say(`error: ${error.code === 'ENOENT' ? `${error.path}: no such file` : byOption(error).message}`);
    for (const { notes, help } of error.diagnostics ?? []) {
      for (const note of notes ?? []) say(`  ${note}`);
      if (help) say(`help: ${help}`);
    }
    process.exitCode = 2;
  },
);
