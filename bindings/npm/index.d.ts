/** What is said about a file or a scene. */
export interface Diagnostic {
  severity: 'warning' | 'error';
  /** File with line, or key of the scene. */
  place: string;
  message: string;
  notes: string[];
  /** A way to correct it. */
  help: string | null;
  /** Whether the picture shows something else in place of what is missing, such as a grey surface for a texture. */
  isStandIn: boolean;
}

export class TintypeError extends Error {
  kind: 'file' | 'scene' | 'name' | 'draw' | 'option';
  diagnostics: Diagnostic[];
}

/** Bytes, a `Blob` or `File`, a URL, or in Node the path of a file. */
export type Source = Uint8Array | ArrayBuffer | ArrayBufferView | Blob | URL | string;

/** Files beside the model (textures, buffers, clips) by their paths relative to it, or a function that gives them. */
export type Files =
  | Record<string, Uint8Array | ArrayBuffer>
  | Map<string, Uint8Array | ArrayBuffer>
  | ((path: string) => Uint8Array | ArrayBuffer | null | undefined);

export interface OpenOptions {
  /** Name of the model, for formats that are told by it and for messages. */
  name?: string;
  /** Paths of clip files that replace those of the model: `.md5anim`, `.x`. */
  clips?: string[];
  files?: Files;
  /** Paths that a function `files` knows, for textures that are searched in folders. */
  listed?: string[];
}

export interface ThumbnailOptions {
  /** Side in pixels, 1 to 4096; 256 by default. */
  size?: number;
  /** Samples a pixel; 4 by default. */
  samples?: 1 | 2 | 4 | 8 | 16;
  /** Name of a clip, or a part of it; `bind` for none. */
  clip?: string;
  /** `transparent`, `#rrggbb`, or two colours with a comma for top and bottom. */
  background?: string;
  look?: 'studio' | 'classic';
  /** Axis of the file that points up: `x`, `-x`, `y`, `-y`, `z` or `-z`. */
  up?: string;
  /** Axis of the file that the model faces. */
  front?: string;
}

export interface TurntableOptions {
  clip?: string;
  wrap?: 'loop' | 'clamp' | 'ping-pong';
  /** Motion with which the clip carries the model. */
  root?: 'keep' | 'hold' | 'hold-xz';
  /** Moment of the clip in the first frame, in seconds. */
  startS?: number;
  frames?: number;
  fps?: number;
  /** Width and height in pixels, or the side of a square; 512 by default. */
  size?: number | [number, number];
  samples?: 1 | 2 | 4 | 8 | 16;
  /** Probes of textures at a slant. */
  anisotropy?: 1 | 2 | 4 | 8 | 16;
  shade?: 'textured' | 'clay';
  look?: 'studio' | 'classic';
  background?: string;
  /** Text in the lower left corner; {frame}, {time}, {clip} and {file} stand for those of the frame. */
  label?: string;
  ground?: boolean;
  shadow?: boolean;
  /** Azimuth of the camera in the first frame: 0 is in front of the model, positive is counter-clockwise from above. */
  azimuthDeg?: number;
  /** How far the camera goes around; 360 by default. */
  turnDeg?: number;
  elevationDeg?: number;
  fovDeg?: number;
  view?: string;
  projection?: string;
  up?: string;
  front?: string;
}

export class Frame {
  readonly width: number;
  readonly height: number;
  readonly warnings: Diagnostic[];
  /** Red, green, blue and alpha of each pixel, rows from the top. */
  readonly pixels: Uint8ClampedArray;
  toPng(): Uint8Array;
  /** The bytes of a file; a JPEG is white where the picture is transparent, a WebP has no losses. PNG by default. */
  toBytes(format?: 'png' | 'jpg' | 'webp'): Uint8Array;
  toImageData(): ImageData;
}

/** A camera that does not move, in world units; the model's front is +Z in a turntable. */
export interface Camera {
  eye: [number, number, number];
  target: [number, number, number];
  /** Direction that is up in the picture; `[0, 1, 0]` by default. */
  up?: [number, number, number];
  /** From the top edge to the bottom edge; 35 by default. */
  fovDeg?: number;
  /** Height of a picture without perspective, in place of `fovDeg`. */
  height?: number;
}

/** What differs from the scene. */
export interface View {
  camera?: Camera;
  /** Width and height in pixels, or the side of a square. */
  size?: number | [number, number];
  samples?: 1 | 2 | 4 | 8 | 16;
  /** Moment of the scene to the millisecond, in place of the frame. */
  timeS?: number;
  /** View that is drawn in place of the picture, such as `depth`, `normal` or `joint:hand_l`. */
  aov?: string;
}

export class Sequence implements Iterable<Frame> {
  readonly length: number;
  /** Number of each frame. */
  readonly numbers: number[];
  readonly size: [number, number];
  readonly fps: number;
  /** Digest of everything that the pixels depend on. */
  readonly digest: string;
  readonly warnings: Diagnostic[];
  draw(index: number, view?: View): Frame;
  /** The camera of a frame, as a view takes it. */
  camera(index: number): Camera;
  /** The scene of a turntable by a view: the TOML text that `tintype render` draws beside the model. */
  toScene(view?: View): string;
  /** All frames as the bytes of one file. */
  toBytes(format: 'gif' | 'webp' | 'apng'): Uint8Array;
  [Symbol.iterator](): Iterator<Frame>;
  frames(options?: { signal?: AbortSignal; onProgress?: (done: number, all: number) => void }): AsyncIterable<Frame>;
}

export interface ModelDiff {
  isSame: boolean;
  /** One line each, the cause first. */
  differences: string[];
}

export class Model {
  static open(source: Source, options?: OpenOptions): Promise<Model>;
  readonly name: string;
  readonly clips: { name: string; periodS: number }[];
  readonly joints: { name: string; parent: number | null }[];
  readonly meshes: { name: string; material: string; triangles: number }[];
  readonly morphs: { name: string; joint: string; rest: number }[];
  thumbnail(options?: ThumbnailOptions): Frame;
  turntable(options?: TurntableOptions): Sequence;
  pose(options?: { clip?: string | null; timeS?: number; morphs?: Record<string, number> }): string;
  diff(other: Model): Promise<ModelDiff>;
}

export function init(source?: WebAssembly.Module | Response | BufferSource | Promise<Response>): Promise<WebAssembly.Module>;
export function thumbnail(source: Source, options?: OpenOptions & ThumbnailOptions): Promise<Frame>;
export function turntable(source: Source, options?: OpenOptions & TurntableOptions): Promise<Sequence>;
export function diff(a: Source | Model, b: Source | Model): Promise<ModelDiff>;
export function scene(text: string, options?: { name?: string; files?: Files; listed?: string[] }): Promise<Sequence>;
