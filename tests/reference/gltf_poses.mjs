// node gltf_poses.mjs FOLDER FILE < requests > positions: poses of a glTF file by three.js, from node_modules of FOLDER.
// A request is a line of JSON: {"clip": index, "time": seconds} or {"weights": w}, which gives all morph targets the weight w.
// The answer is a line of JSON each: the positions of all vertices of the default scene in world space, three numbers a vertex.
// What needs a browser is taken out first: images, materials, cameras.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, file] = process.argv.slice(2);
const resolve = createRequire(path.resolve(folder, 'package.json')).resolve;
const three = path.dirname(path.dirname(resolve('three')));
const load = (name) => import(pathToFileURL(path.join(three, name)));
const THREE = await load('build/three.module.js');
const { GLTFLoader } = await load('examples/jsm/loaders/GLTFLoader.js');
const { MeshoptDecoder } = await load('examples/jsm/libs/meshopt_decoder.module.js');
globalThis.self = globalThis;
globalThis.ProgressEvent ??= class extends Event {};

const bytes = fs.readFileSync(file);
let text = bytes;
let chunk;
if (bytes.toString('latin1', 0, 4) === 'glTF') {
  for (let at = 12; at + 8 <= bytes.length;) {
    const data = bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at));
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (kind === 'JSON') text = data; else chunk ??= data;
    at += 8 + data.length;
  }
}
const json = JSON.parse(text.toString('utf8'));
const inline = (data) => 'data:application/octet-stream;base64,' + data.toString('base64');
for (const buffer of json.buffers ?? []) {
  if (buffer.uri === undefined) { if (chunk) buffer.uri = inline(chunk); }
  else if (!buffer.uri.startsWith('data:')) {
    buffer.uri = inline(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(buffer.uri))));
  }
}
for (const key of ['images', 'textures', 'samplers', 'materials']) delete json[key];
for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) {
  delete primitive.material;
  delete primitive.extensions?.KHR_materials_variants;
}
const unneeded = /^(KHR_materials|KHR_texture|EXT_texture|KHR_lights|VRM|KHR_xmp|MSFT|EXT_structural|EXT_mesh_features)/;
for (const key of ['extensionsRequired', 'extensionsUsed']) {
  if (json[key]) json[key] = json[key].filter((name) => !unneeded.test(name));
}
for (const owner of [json, ...(json.nodes ?? [])]) {
  for (const name of Object.keys(owner.extensions ?? {})) if (unneeded.test(name)) delete owner.extensions[name];
}
const loader = new GLTFLoader();
loader.setMeshoptDecoder(MeshoptDecoder);

// Rotations of keys are brought to length 1, as the format has them; three.js takes them as they are.
const { scene, animations } = await loader.parseAsync(JSON.stringify(json), '');
for (const track of animations.flatMap((clip) => clip.tracks)) {
  if (!track.name.endsWith('.quaternion')) continue;
  const isSpline = track.createInterpolant.isInterpolantFactoryMethodGLTFCubicSpline;
  track.values = Float64Array.from(track.values);
  for (let at = isSpline ? 4 : 0; at < track.values.length; at += isSpline ? 12 : 4) {
    const length = Math.hypot(...track.values.subarray(at, at + 4));
    for (let k = at; k < at + 4; k++) track.values[k] /= length;
  }
}

const at = new THREE.Vector3();
const mixer = new THREE.AnimationMixer(scene);
for (const line of fs.readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const { clip, time, weights } = JSON.parse(line);
  // Gives every property the value that it had before all clips.
  mixer.stopAllAction();
  if (clip !== undefined) {
    const action = mixer.clipAction(animations[clip]);
    action.reset();
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    mixer.setTime(Math.min(time, animations[clip].duration));
  }
  scene.traverse((mesh) => { if (weights !== undefined) mesh.morphTargetInfluences?.fill(weights); });
  scene.updateMatrixWorld(true);
  const positions = [];
  scene.traverse((mesh) => {
    if (!mesh.isMesh) return;
    if (mesh.isSkinnedMesh) mesh.skeleton.update();
    for (let vertex = 0; vertex < mesh.geometry.attributes.position.count; vertex++) {
      mesh.getVertexPosition(vertex, at).applyMatrix4(mesh.matrixWorld);
      positions.push(at.x, at.y, at.z);
    }
  });
  process.stdout.write(JSON.stringify(positions) + '\n');
}
