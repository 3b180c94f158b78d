/** A warning or an error about a file or a scene. */
export interface Diagnostic {
  severity: 'warning' | 'error';
  /** File with line, or key of the scene. */
  place: string;
  message: string;
  notes: string[];
  /** How to correct it. */
  help: string | null;
  /** True if the picture shows a stand-in for something missing, such as a grey surface for a texture. */
  isStandIn: boolean;
}

/** An error: an unreadable or refused file, a mistake in a scene or setting, an unknown name, a picture that cannot be drawn, bytes that
 * cannot be written, work that was stopped, or a wrong JavaScript option. For files in Node it also has `code` and `path`. */
export class TintypeError extends Error {
  constructor(told: { message: string; kind: TintypeError['kind']; diagnostics?: Diagnostic[]; cause?: unknown });
  kind: 'file' | 'scene' | 'name' | 'draw' | 'write' | 'stopped' | 'option';
  diagnostics: Diagnostic[];
  /** Error code of the system, such as `ENOENT`. */
  code?: string;
  path?: string;
}

/** The instances of a class of the platform, if its types are available. */
type Platform<Name extends string, Else> = typeof globalThis extends { [K in Name]: { prototype: infer Instance } } ? Instance : Else;
type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Instance } } } ? Instance : object;
/** Bytes in an unshared buffer, as other types of the platform require. */
type Bytes = ReturnType<typeof Uint8Array.of>;
type Binary = ArrayBuffer | ArrayBufferView;
type Response = Platform<'Response', { arrayBuffer(): Promise<ArrayBuffer> }>;

/** Bytes, a `Blob` or `File`, a URL, or in Node the path or the `file:` URL of a file. */
export type Source = Binary | Platform<'Blob', { arrayBuffer(): Promise<ArrayBuffer> }> | Platform<'URL', { readonly href: string }> | string;

/** Files beside the model (textures, buffers, clips) by their paths relative to it, or a function that returns them and receives the model's bytes. */
export type Files =
  | Record<string, Binary>
  | Map<string, Binary>
  | ((path: string, model?: Binary) => Binary | null | undefined);

export interface OpenOptions {
  /** Name of the model, for messages and for formats that are recognized by it. */
  name?: string;
  /** Paths of clip files that replace those of the model: `.md5anim`, `.x`. */
  clips?: string[];
  files?: Files;
  /** Paths that a function `files` knows, for textures that are searched in folders. */
  listed?: string[];
}

export interface SceneOptions {
  /** Name of the scene in messages. */
  name?: string;
  files?: Files;
  /** Paths that a function `files` knows, for textures that are searched in folders. */
  listed?: string[];
  /** A stored fit of the camera instead of the current one: the five numbers of a golden's record. */
  fit?: [number, number, number, number, number];
}

// settings, written by tools/settings.rs
export interface ThumbnailOptions {
  /** Side in pixels, 1 to 4096; 256 by default. */
  size?: number;
  /** Samples per pixel, for antialiasing: 1, 2, 4, 8 or 16. Default: 4. */
  samples?: 1 | 2 | 4 | 8 | 16;
  /** Anisotropic filtering of textures seen at grazing angles, as the largest number of samples: 1, 2, 4, 8 or 16. Default: 1. */
  anisotropy?: 1 | 2 | 4 | 8 | 16;
  /** Surfaces of the models: textured, or clay (plain grey without textures, to show shape). Default: textured. */
  shade?: 'textured' | 'clay';
  /** Lighting preset, used if a scene has no lights: studio (an environment, a key light and a ground on light grey) or classic (three lights on dark grey). Default: studio. */
  look?: 'classic' | 'studio';
  /** Text in the lower left corner of each picture; {frame}, {time}, {clip} and {file} are replaced by their values. */
  label?: string;
  /** Tone mapping of the models: neutral (Khronos PBR Neutral, compresses bright light) or none (clamps it). Default: neutral if an environment replaces the lights, otherwise none. */
  tone?: 'neutral' | 'none';
  /** Factor applied to all light on the models. Default: 1. */
  exposure?: number;
  /** Strength of ambient occlusion between and within models. Default: 0.8 in the studio look, otherwise 0. */
  occlusion?: number;
  /** Springs of VRM files: swing with the clip, or rest. Default: swing. */
  springs?: 'swing' | 'rest';
  /** Colour behind the models: transparent, #rrggbb, or two colours for top and bottom. Default: from the look; transparent with look classic. */
  background?: string;
  /** Azimuth of the camera in degrees, in the first frame of a turntable: 0 is in front of the model, positive is counter-clockwise from above. Default: chosen for each model. */
  azimuthDeg?: number;
  /** Elevation of the camera above the horizon in degrees. Default: chosen for each model; 12 with an azimuth. */
  elevationDeg?: number;
  /** Vertical field of view in degrees. Default: 26. */
  fovDeg?: number;
  /** Standard direction of an orthographic camera: dimetric (azimuth 45, elevation 30, the 2:1 view of sprites), isometric, front, back, side or top. */
  view?: 'dimetric' | 'isometric' | 'front' | 'back' | 'side' | 'top';
  /** Projection of the camera: perspective or orthographic. Default: perspective; orthographic with a view. */
  projection?: 'perspective' | 'orthographic';
  /** Axis of the file that points up: x, -x, y, -y, z or -z. Default: from the format; detected from joints and shape if the figure would lie down. */
  up?: 'x' | '-x' | 'y' | '-y' | 'z' | '-z';
  /** Axis of the file that the model faces: x, -x, y, -y, z or -z. Default: detected from joints and shape. */
  front?: 'x' | '-x' | 'y' | '-y' | 'z' | '-z';
  /** Ticks or frames per second of the file. Default: as in the file. */
  ticksPerSecond?: number;
  /** Palette of Quake skins. Default: gfx/palette.lmp above the model. */
  palette?: string;
  /** Clip, by name or index from 0, or a range of it: NAME:168-187 (keys), NAME:1.5s-2.5s or NAME:800t-1600t (ticks); bind for the bind pose. Default: chosen automatically. */
  clip?: string;
  /** Behaviour beyond the ends of the clip: loop, clamp or ping-pong. Default: between the first and last key. */
  wrap?: 'loop' | 'clamp' | 'ping-pong';
  /** Root motion of the clip: keep, hold (in place) or hold-xz (in place on the ground plane). Default: keep. */
  root?: 'keep' | 'hold' | 'hold-xz';
  /** Time of the picture or the first frame in seconds, from the start of the clip. Default: chosen automatically. */
  timeS?: number;
}

export interface TurntableOptions {
  /** Number of frames; by default enough for the clip to end where it began. */
  frames?: number;
  /** Angle through which the camera travels over all frames in degrees; negative is clockwise from above. Default: 360. */
  turnDeg?: number;
  /** Number of sprite directions, such as 4, 8 or 16: the whole clip is drawn from each, without perspective, as one row of a sheet. The first is at the azimuth, the others follow counter-clockwise from above. */
  directions?: number;
  /** Ground below the model, with a soft contact shadow; over a transparent background, the shadow is in the alpha. Default: off. */
  ground?: boolean;
  /** Shadow of the key light, on the model and on the ground. Default: off. */
  shadow?: boolean;
  /** Width and height in pixels; one number for a square. Default: 512x512. */
  size?: number | [number, number];
  /** Frames per second. Default: 24 with a clip, otherwise 12. */
  fps?: number;
  /** Samples per pixel, for antialiasing: 1, 2, 4, 8 or 16. Default: 4. */
  samples?: 1 | 2 | 4 | 8 | 16;
  /** Anisotropic filtering of textures seen at grazing angles, as the largest number of samples: 1, 2, 4, 8 or 16. Default: 1. */
  anisotropy?: 1 | 2 | 4 | 8 | 16;
  /** Surfaces of the models: textured, or clay (plain grey without textures, to show shape). Default: textured. */
  shade?: 'textured' | 'clay';
  /** Lighting preset, used if a scene has no lights: studio (an environment, a key light and a ground on light grey) or classic (three lights on dark grey). Default: studio. */
  look?: 'classic' | 'studio';
  /** Text in the lower left corner of each picture; {frame}, {time}, {clip} and {file} are replaced by their values. */
  label?: string;
  /** Tone mapping of the models: neutral (Khronos PBR Neutral, compresses bright light) or none (clamps it). Default: neutral if an environment replaces the lights, otherwise none. */
  tone?: 'neutral' | 'none';
  /** Factor applied to all light on the models. Default: 1. */
  exposure?: number;
  /** Strength of ambient occlusion between and within models. Default: 0.8 in the studio look, otherwise 0. */
  occlusion?: number;
  /** Springs of VRM files: swing with the clip, or rest. Default: swing. */
  springs?: 'swing' | 'rest';
  /** Colour behind the models: transparent, #rrggbb, or two colours for top and bottom. Default: from the look. */
  background?: string;
  /** Azimuth of the camera in degrees, in the first frame of a turntable: 0 is in front of the model, positive is counter-clockwise from above. Default: 30; 0 with directions; from the view. */
  azimuthDeg?: number;
  /** Elevation of the camera above the horizon in degrees. Default: 12; from the view. */
  elevationDeg?: number;
  /** Vertical field of view in degrees. Default: 30. */
  fovDeg?: number;
  /** Standard direction of an orthographic camera: dimetric (azimuth 45, elevation 30, the 2:1 view of sprites), isometric, front, back, side or top. */
  view?: 'dimetric' | 'isometric' | 'front' | 'back' | 'side' | 'top';
  /** Projection of the camera: perspective or orthographic. Default: perspective; orthographic with a view or directions. */
  projection?: 'perspective' | 'orthographic';
  /** Axis of the file that points up: x, -x, y, -y, z or -z. Default: from the format; detected from joints and shape if the figure would lie down. */
  up?: 'x' | '-x' | 'y' | '-y' | 'z' | '-z';
  /** Axis of the file that the model faces: x, -x, y, -y, z or -z. Default: detected from joints and shape. */
  front?: 'x' | '-x' | 'y' | '-y' | 'z' | '-z';
  /** Ticks or frames per second of the file. Default: as in the file. */
  ticksPerSecond?: number;
  /** Palette of Quake skins. Default: gfx/palette.lmp above the model. */
  palette?: string;
  /** Clip, by name or index from 0, or a range of it: NAME:168-187 (keys), NAME:1.5s-2.5s or NAME:800t-1600t (ticks); bind for the bind pose. Default: chosen automatically. */
  clip?: string;
  /** Behaviour beyond the ends of the clip: loop, clamp or ping-pong. Default: from the clip's file. */
  wrap?: 'loop' | 'clamp' | 'ping-pong';
  /** Root motion of the clip: keep, hold (in place) or hold-xz (in place on the ground plane). Default: keep. */
  root?: 'keep' | 'hold' | 'hold-xz';
  /** Time of the picture or the first frame in seconds, from the start of the clip. Default: 0. */
  timeS?: number;
}

// end of settings

export class Frame {
  private constructor();
  readonly width: number;
  readonly height: number;
  readonly warnings: Diagnostic[];
  /** Red, green, blue and alpha of each pixel, rows from the top. */
  readonly pixels: ReturnType<typeof Uint8ClampedArray.of>;
  /** The channels requested by the view, each with the numbers of all pixels, row by row; see docs/views.md. */
  readonly channels: Record<string, Float32Array | Uint32Array>;
  /** Names for the integers of a channel; the first is the name of 1. */
  readonly legend: Record<string, string[]>;
  toPng(): Bytes;
  /** The bytes of a file, PNG by default. A JPEG is white where the picture is transparent; a WebP is lossless. */
  toBytes(format?: 'png' | 'jpg' | 'webp'): Bytes;
  /** In browsers and workers. */
  toImageData(): Platform<'ImageData', { readonly width: number; readonly height: number }>;
}

/** A fixed camera, in world units; the model faces +Z in a turntable. */
export interface Camera {
  eye: [number, number, number];
  target: [number, number, number];
  /** Direction that is up in the picture; `[0, 1, 0]` by default. */
  up?: [number, number, number];
  /** Vertical field of view; 35 by default. */
  fovDeg?: number;
  /** Height of an orthographic picture, instead of `fovDeg`. */
  height?: number;
  near?: number;
  far?: number;
}

type Matrix<Row> = [Row, Row, Row];

/** A camera in the notation of computer vision: `k` is `[[fx, skew, cx], [0, fy, cy], [0, 0, 1]]` in pixels of a picture of `size`, and `rt` transforms
 * world space to camera space, in the axes of `convention`, by default "opencv". */
export interface MatrixCamera {
  k: Matrix<[number, number, number]>;
  rt: Matrix<[number, number, number, number]>;
  size: [number, number];
  convention?: 'opencv' | 'opengl';
  near?: number;
  far?: number;
}

/** Numbers in a typed array, or in nested lists. */
export type Numbers = ArrayLike<number> & { readonly BYTES_PER_ELEMENT: number } | readonly NumbersOrNumber[];
type NumbersOrNumber = number | readonly NumbersOrNumber[];

/** A mesh from arrays: three numbers for each position, three corners for each triangle, counter-clockwise from the front. */
export interface MeshArrays {
  positions: Numbers;
  triangles: Numbers;
  normals?: Numbers;
  /** Two numbers for each vertex; the origin is upper left, v points down. */
  uv?: Numbers;
  /** Red, green, blue and alpha of each vertex: linear numbers, or sRGB codes in a `Uint8Array`. */
  colors?: Numbers;
  /** Linear red, green, blue and alpha of the whole mesh. */
  color?: [number, number, number, number];
  texture?: { width: number; height: number; pixels: Binary } | { width: number; height: number; data: Binary };
  /** Joint numbers, as many for each vertex as there are weights; without them each vertex has a weight for every joint. */
  joints?: Numbers;
  weights?: Numbers;
  /** A matrix of 16 numbers, row by row, for each joint: to model space in the pose of the positions; identities by default. */
  bind?: Numbers;
}

/** Changes to the scene for one frame. */
export interface View {
  camera?: Camera | MatrixCamera;
  /** Width and height in pixels, or the side of a square. */
  size?: number | [number, number];
  samples?: 1 | 2 | 4 | 8 | 16;
  /** Time of the scene, to the millisecond, instead of the frame. */
  timeS?: number;
  /** View drawn instead of the picture, such as `depth`, `normal` or `joint:hand_l`. */
  aov?: string;
  /** Channels of the frame, such as `['depth', 'instance']`: per-pixel numbers; see docs/views.md. */
  channels?: string[];
  /** Vertices in model space, by the names of instances or their numbers from 0. */
  vertices?: Record<string, Numbers>;
  /** Matrices of joints to model space, 16 numbers each, row by row. */
  joints?: Record<string, Numbers>;
  /** A matrix to world space, row by row. */
  transforms?: Record<string, Numbers>;
}

export class Sequence implements Iterable<Frame> {
  private constructor();
  readonly length: number;
  /** Number of each frame. */
  readonly numbers: number[];
  readonly size: [number, number];
  readonly fps: number;
  /** Digest of everything that affects the pixels. */
  readonly digest: string;
  /** The clip that a turntable plays; null in the bind pose and for a scene. */
  readonly clip: { name: string; periodS: number } | null;
  readonly warnings: Diagnostic[];
  draw(index: number, view?: View): Frame;
  /** The camera of a frame, in the form that a view takes. */
  camera(index: number): Camera;
  /** The scene of a turntable with a view: TOML text for `tintype render`, to be saved beside the model. */
  toScene(view?: View): string;
  /** All frames as the bytes of one file. */
  toBytes(format: 'gif' | 'webp' | 'apng'): Bytes;
  /** Frees its memory at once; otherwise this happens some time after the last reference is gone. */
  free(): void;
  [Symbol.iterator](): Iterator<Frame>;
  frames(options?: { signal?: { throwIfAborted(): void }; onProgress?: (done: number, all: number) => void }): AsyncIterable<Frame>;
}

export interface ModelDiff {
  isSame: boolean;
  /** One for each difference, the first cause first: a sentence, the clip, and the data of `tintype diff --json`. */
  differences: { text: string; clip: string | null; finding: Finding | null }[];
}

/** A part of a model by its name or its number, such as `{ element: 'joint', name: 'wrist' }`. */
export interface Subject {
  element: string;
  name?: string;
  index?: number;
}

/** A difference as data. */
export interface Finding {
  stage: string;
  kind: string;
  of: Subject;
  within?: Subject[];
  property?: string;
  elements?: Subject[];
  /** Number of changed elements, and of all. */
  count?: [number, number];
  more?: number;
  by?: { value: number; unit: string }[];
  at_s?: number;
  was?: { value: number; unit: string } | string | string[];
  is?: { value: number; unit: string } | string | string[];
}

/** Settings of a turntable for a contact sheet: `directions` are the views (4 by default), `frames` the times of each clip (3), `size` is that of a
 * cell (256), `turnDeg` the angle around (-360: front, right, back, left), `elevationDeg` is 0 by default. */
export interface ContactSheetOptions extends Omit<TurntableOptions, 'clip' | 'fps'> {
  /** Names of clips, or `['all']`. Default: the clip that suits the model. */
  clips?: string[];
}

type Vector = [number, number, number];
/** Left, top, width and height in pixels of the sheet. */
type Box = [number, number, number, number];

/** What the cells of a contact sheet show: the JSON of `tintype turntable --contact-sheet`. */
export interface ContactSheetLegend {
  version: number;
  program: string;
  model: string;
  size: [number, number];
  up: Vector;
  front: Vector;
  scale_bar: { length: number; pixels: number; box: Box } | null;
  cells: {
    number: number;
    box: Box;
    picture: Box;
    clip: string | null;
    time_s: number | null;
    view: string;
    camera: { eye: Vector; target: Vector; up: Vector; projection: 'orthographic' | 'perspective'; height?: number; fov_deg?: number };
    joints: { name: string; pixel: [number, number] | null; visible: boolean; behind: number | null }[];
    parts: { name: string; box: Box | null; visible_pixels: number }[];
  }[];
}

/** Something wrong in a model or in a clip, everywhere it is. */
export interface Problem {
  kind: string;
  /** `warning` is an error of the model, `note` may be intended. */
  severity: 'warning' | 'note';
  /** Number of affected vertices, triangles, joints…, and of all. */
  count: number;
  of: number;
  message: string;
  /** The first position, if the message does not name it. */
  first?: string;
  advice: string;
  places?: { mesh?: number; vertices?: number[]; triangles?: number[]; clip?: string; joints?: string[] }[];
}

type Facts = Record<string, unknown>;

/** Contents and problems of a file: the JSON of `tintype inspect --json`, with the fields of its schema. */
export class Inspection {
  private constructor();
  readonly version: number;
  readonly file: string;
  readonly scene?: Facts;
  readonly models?: (Facts & { name: string; file: string; clips: (Facts & { name: string; file: string })[]; problems: Problem[] })[];
  /** The clip of a file with one clip and no model. */
  readonly clip?: Facts;
  /** The clips of a file with clips alone. */
  readonly clips?: (Facts & { name: string; file: string })[];
  readonly camera?: Facts;
  readonly materials?: (Facts & { shader: string; origin: string })[];
  /** Problems of clips without a model. */
  readonly problems?: Problem[];
  readonly warnings: string[];
  /** The page that `tintype inspect` prints; `tree` lists every joint. */
  toText(options?: { tree?: boolean }): string;
}

export interface InspectOptions extends OpenOptions {
  /** Ticks per second, in place of the rate in a `.x` file. */
  ticksPerSecond?: number;
}

export class Model {
  private constructor();
  static open(source: Source, options?: OpenOptions): Promise<Model>;
  static fromArrays(arrays: MeshArrays): Promise<Model>;
  readonly name: string;
  readonly clips: { name: string; periodS: number }[];
  readonly joints: { name: string; parent: number | null }[];
  readonly meshes: { name: string; material: string; triangles: number }[];
  readonly morphs: { name: string; joint: string; rest: number }[];
  thumbnail(options?: ThumbnailOptions): Frame;
  turntable(options?: TurntableOptions): Sequence;
  contactSheet(options?: ContactSheetOptions): { frame: Frame; legend: ContactSheetLegend };
  pose(options?: { clip?: string | null; timeS?: number; morphs?: Record<string, number> }): string;
  diff(other: Model): Promise<ModelDiff>;
}

/** The bytes of a glTF file made from arrays, for `Model.open` or the `files` of a scene. */
export function meshBytes(arrays: MeshArrays): Promise<Bytes>;

export function init(source?: WasmModule | Response | Binary | Promise<WasmModule | Response | Binary>): Promise<WasmModule>;
export function thumbnail(source: Source, options?: OpenOptions & ThumbnailOptions): Promise<Frame>;
export function turntable(source: Source, options?: OpenOptions & TurntableOptions): Promise<Sequence>;
export function diff(a: Source | Model, b: Source | Model): Promise<ModelDiff>;
/** Contents and problems of a model with its clips, an `.md5anim` clip, an `.md5camera` or a scene (`.toml`), by the name of the file. */
export function inspect(source: Source, options?: InspectOptions): Promise<Inspection>;
export function scene(text: string, options?: SceneOptions): Promise<Sequence>;
