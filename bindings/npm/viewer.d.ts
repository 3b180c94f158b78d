/// <reference lib="dom" />
import type { Camera, Diagnostic, Files, Source, TintypeError } from './index.js';

/** Loads the package from memory, for pages opened from files: the text of index.js and worker.js, and the bytes of tintype.wasm. */
export function embed(files: { index: string; worker: string; wasm: BufferSource }): void;

/**
 * `<tintype-viewer src="hero.glb" clip="Walk">`. Attributes: `src`, `clip`, `anim` (a clip file beside the model),
 * `files` (paths of files beside the model, separated by spaces; a server lists no folders, so only files named here or in the model and its
 * files are requested), the settings of picture and model under the names of their options (`look`, `exposure`, `up` ...),
 * `azimuth` and `elevation` (degrees of the first view), `samples`, `aov` (a view such as `depth`), `size` (`512x512`; by default the pixels of the element),
 * `poster` (a picture shown until the first one is drawn, or an element with `slot="poster"`), `alt` (a text alternative) and `autoplay`.
 * Width and height are set in CSS. The module may be imported without a page.
 * Events: `load`, `frame` (a picture was drawn), `change` (the user moved the camera or changed the time), `error`.
 */
export class TintypeViewer extends HTMLElement {
  /** Content shown instead of `src`: a model, or the text of a scene with its files. */
  source: { source: Source; name?: string; files?: Files; listed?: string[]; clips?: string[] } | { scene: string; name?: string; files?: Files } | undefined;
  /** The camera, in world units; undefined for the camera of a scene. */
  camera: Camera | undefined;
  /** Time of the clip, to the millisecond. */
  timeS: number;
  /** Frame of a scene, from 0. */
  index: number;
  /** The last picture; equal to the command line's if `state` is `still`. */
  readonly picture: ImageData | undefined;
  readonly state: 'loading' | 'moving' | 'still' | 'error' | undefined;
  readonly playing: boolean;
  play(): void;
  pause(): void;
  /** Returns to the first view. */
  reset(): void;
  /** The shown scene as text for `tintype render`, to be saved beside the model; only for models. */
  toScene(): Promise<string>;
  addEventListener<K extends keyof TintypeViewerEventMap>(type: K, listener: (this: TintypeViewer, event: TintypeViewerEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

/** Events of a viewer, in addition to those of every element. */
export interface TintypeViewerEventMap extends Omit<HTMLElementEventMap, 'load' | 'error' | 'change'> {
  load: CustomEvent<{ clips: { name: string; periodS: number }[]; count: number; periodS: number; warnings: Diagnostic[] }>;
  /** A picture was drawn. */
  frame: CustomEvent<{ camera?: Camera; size: [number, number]; timeS?: number; index?: number; ms: number; state: 'moving' | 'still' }>;
  /** The user moved the camera or changed the time. */
  change: CustomEvent<{ camera?: Camera; timeS: number; index: number }>;
  error: CustomEvent<Error & Partial<TintypeError>>;
}

declare global {
  interface HTMLElementTagNameMap {
    'tintype-viewer': TintypeViewer;
  }
}

export type { Camera, Diagnostic };
