// Edits of glTF files by glTF Transform, and what `tintype diff` and `tintype test --models` say of each.
//
// node .ci/gltf_transform.mjs FOLDER PROGRAM MODEL...   with the packages in FOLDER/node_modules
//
// A re-export has to pass. An edit, and a re-export that moves vertices or keys a little, has to fail with one of its kinds as the first
// finding of `diff --json`, and with one of its words in the first line of `test`. Both were written before the first run. Prints what is wrong and a line for each way; exit code 1 below 90 %.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const [folder, program, ...models] = process.argv.slice(2);
const require = createRequire(path.resolve(folder, 'package.json'));
const { NodeIO, Logger, Verbosity } = require('@gltf-transform/core');
const { ALL_EXTENSIONS } = require('@gltf-transform/extensions');
const F = require('@gltf-transform/functions');
const { MeshoptEncoder, MeshoptDecoder } = require('meshoptimizer');
const draco = require('draco3dgltf');
await MeshoptEncoder.ready;
await MeshoptDecoder.ready;
const io = new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({
        'meshopt.decoder': MeshoptDecoder,
        'meshopt.encoder': MeshoptEncoder,
        'draco3d.decoder': await draco.createDecoderModule(),
        'draco3d.encoder': await draco.createEncoderModule(),
    });

const encoder = MeshoptEncoder;
const each = (list, edit) => (document) => document.getRoot()[list]().forEach(edit);
const joints = (document) => new Set(document.getRoot().listSkins().flatMap((skin) => skin.listJoints()));
const rotations = (document) =>
    document.getRoot().listAnimations().flatMap((clip) => clip.listChannels())
        .filter((channel) => channel.getTargetPath() === 'rotation').map((channel) => channel.getSampler());

const SAME = {
    copy: [],
    dedup: [F.dedup()],
    prune: [F.prune()],
    weld: [F.weld()],
    unweld: [F.unweld()],
    reorder: [F.reorder({ encoder })],
    sparse: [F.sparse()],
    dequantize: [F.dequantize()],
    'resample without tolerance': [F.resample({ tolerance: 0 })],
    instance: [F.instance()],
    'rotations negated': [(document) => new Set(rotations(document).map((sampler) => sampler.getOutput())).forEach((output) =>
        output.setArray(output.getArray().map((value) => -value)))],
    'meshes renamed': [each('listMeshes', (mesh) => mesh.setName(mesh.getName() + '_x'))],
    'materials renamed': [each('listMaterials', (material) => material.setName(material.getName() + '_x'))],
    'nodes without vertices renamed': [(document) => {
        const of = joints(document);
        document.getRoot().listNodes().filter((node) => !of.has(node) && !node.getMesh() && node.getName())
            .forEach((node) => node.setName(node.getName() + '_x'));
    }],
};
const first = (document) => document.getRoot().listMaterials()[0];
// Each edit: kinds of findings, perhaps with their property; words; steps. 'same' is a model that passes.
const TOLD = {
    // The corners of a box lie on every grid.
    quantize: [['quantized', 'same'], ['quantized', 'the same at 1 moment'], [F.quantize()]],
    'quantize to 10 bits': [['quantized', 'same'], ['quantized', 'the same at 1 moment'], [F.quantize({ quantizePosition: 10 })]],
    draco: [['quantized', 'same'], ['quantized', 'the same at 1 moment', '0 failed'], [F.draco()]],
    meshopt: [['quantized', 'same'], ['quantized', 'the same at 1 moment'], [F.meshopt({ encoder })]],
    resample: [['resampled', 'count-changed', 'rate-changed', 'same'], ['resampled', 'the same', ' keys, had '], [F.resample()]],
    unlit: [['value-changed unlit'], ['unlit'], [F.unlit()]],
    // A box may be in the middle already.
    center: [['added', 'moved', 'same'], ['Pivot', 'moved', 'the same at 1 moment', '0 failed'], [F.center()]],
    'joints renamed': [['renamed', 'same'], ['is called', 'the same'], [(document) => joints(document).forEach((node) => node.setName('rig:' + node.getName()))]],
    'clip renamed': [['removed', 'added', 'same'], ['_x', 'the same', 'is gone'], [each('listAnimations', (clip) => clip.setName(clip.getName() + '_x'))]],
    steps: [['interpolation-changed', 'same'], ['interpolation', 'the same'], [(document) => document.getRoot().listAnimations().slice(0, 1)
        .flatMap((clip) => clip.listSamplers()).filter((sampler) => sampler.getInterpolation() === 'LINEAR')
        .forEach((sampler) => sampler.setInterpolation('STEP'))]],
    // Of a texture without metal no pixel shows it.
    metallic: [['value-changed metallic'], ['metallic', 'goldens the same, 0 failed'], [(document) => first(document).setMetallicFactor(0.37)]],
    'base color': [['value-changed base color', 'value-changed color'], ['base color', ' color '], [(document) => first(document).setBaseColorFactor([0.5, 0.9, 1, 1])]],
    'texture gone': [['replaced base color texture'], ['texture'], [(document) => first(document).getBaseColorTexture() && first(document).setBaseColorTexture(null)]],
};

function run(args) {
    // Where CI is set no goldens are accepted.
    const { CI, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env });
    const lines = (stdout + stderr).split('\n').filter((line) => line && !/^(warning|note)/.test(line));
    return { status, stdout, first: lines.find((line) => !line.includes('which is known')) ?? '' };
}

// The kind of the first finding of `diff --json`, with its property; 'same' if there is none.
function diff(old, now) {
    const { status, stdout, first } = run(['diff', '--json', old, now]);
    if (status > 1) {
        return { status, first };
    }
    const part = JSON.parse(stdout).models[0].parts.find(({ state }) => state !== 'same' && state !== 'within');
    const { kind, property } = part?.findings[0] ?? { kind: 'same' };
    return { status, first: property ? `${kind} ${property}` : kind };
}

const score = {};
function judge(way, model, name, words, { status, first }) {
    const isRight = words === null ? status === 0 : words.some((word) => first.includes(word));
    const kind = `${way}, ${words === null ? 're-exports that pass' : 'first lines right'}`;
    score[kind] ??= [0, 0];
    score[kind][0] += isRight;
    score[kind][1] += 1;
    if (!isRight) {
        console.log(`${model}, ${name}, ${way}: exit ${status}: ${first.slice(0, 200)}`);
    }
}

const work = fs.mkdtempSync(path.join(folder, 'work-'));
for (const model of models) {
    const name = path.basename(model);
    // Both sides are written by one program, but for the copy, which stands beside the model itself.
    const library = path.join(work, name);
    fs.mkdirSync(library);
    const shown = path.join(library, 'model.glb');
    const old = path.join(work, `${name}.old.glb`);
    name.endsWith('.glb') ? fs.copyFileSync(model, old) : await io.write(old, await io.read(model));
    fs.copyFileSync(old, shown);
    const golden = ['--golden', path.join(work, `${name}.goldens`)];
    const blessed = run(['bless', '--models', shown, ...golden, '--size', '64x64', '--moments', '2']);
    if (blessed.status !== 0) {
        console.log(`${name}: bless failed: ${blessed.first}`);
    }
    const edits = Object.entries(SAME).map(([edit, steps]) => [edit, null, steps])
        .concat(Object.entries(TOLD).map(([edit, [kinds, words, steps]]) => [edit, words, steps, kinds]));
    for (const [edit, words, steps, kinds = null] of edits) {
        const document = await io.read(old);
        document.setLogger(new Logger(Verbosity.SILENT));
        const before = JSON.stringify((await io.writeJSON(document)).json.materials ?? []);
        await document.transform(...steps);
        const changed = path.join(work, 'changed.glb');
        await io.write(changed, document);
        // A model without textures has none to lose.
        const isIdle = edit === 'texture gone' && before === JSON.stringify((await io.writeJSON(document)).json.materials ?? []);
        if (isIdle) {
            continue;
        }
        judge('two files', name, edit, kinds, diff(old, changed));
        fs.copyFileSync(changed, shown);
        if (blessed.status === 0) {
            const isQuiet = words?.includes('the same');
            const accepted = isQuiet ? [...words, 'goldens the same', 'known changes, 0 failed'] : words;
            judge('library', name, edit, accepted, run(['test', '--models', shown, ...golden]));
        }
    }
}
fs.rmSync(work, { recursive: true });
let isGood = true;
for (const [kind, [right, of]] of Object.entries(score)) {
    console.log(`${kind}: ${right} of ${of}`);
    isGood &&= right >= 0.9 * of;
}
process.exit(isGood ? 0 : 1);
