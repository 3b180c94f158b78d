/// <reference lib="dom" />
import type { Camera, Diagnostic, Files, Source, TintypeError } from './index.js';

/** Takes the package from memory, for pages that are opened as files: the texts of index.js and worker.js, and the bytes of tintype.wasm. */
export function embed(files: { index: string; worker: string; wasm: BufferSource }): void;

/**
 * `<tintype-viewer src="hero.glb" clip="Walk">`. Attributes: `src`, `clip`, `anim` (a clip file beside the model),
 * `files` (paths of files beside the model, with spaces between them: a server lists none, so without them only the names are asked for that
 * the model and its files state, and textures and clips that the program finds in folders are missing), the
 * settings of picture and model by their options (`look`, `exposure`, `up` ...), `azimuth` and `elevation` (degrees of the first view), `samples`, `aov` (a view such as `depth`), `size` (`512x512`; by default as many pixels as the element has),
 * `poster` (a picture until the first one is drawn, or an element with `slot="poster"`), `alt` (words in place of the picture) and `autoplay`.
 * Width and height are those of CSS. It may be imported where there is no page.
 * Events: `load`, `frame` (a picture was drawn), `change` (the user moved camera or moment), `error`.
 */
export class TintypeViewer extends HTMLElement {
  /** What is shown in place of `src`: a model, or the text of a scene with its files. */
  source: { source: Source; name?: string; files?: Files; listed?: string[]; clips?: string[] } | { scene: string; name?: string; files?: Files } | undefined;
  /** The camera, in world units; undefined for that of a scene. */
  camera: Camera | undefined;
  /** Moment of the clip, to the millisecond. */
  timeS: number;
  /** Frame of a scene, from 0. */
  index: number;
  /** The last picture; that of the command line where `state` is `still`. */
  readonly picture: ImageData | undefined;
  readonly state: 'loading' | 'moving' | 'still' | 'error' | undefined;
  readonly playing: boolean;
  play(): void;
  pause(): void;
  /** Goes back to the first view. */
  reset(): void;
  /** The scene that is seen, which `tintype render` draws beside the model; of models alone. */
  toScene(): Promise<string>;
  addEventListener<K extends keyof TintypeViewerEventMap>(type: K, listener: (this: TintypeViewer, event: TintypeViewerEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

/** Events of a viewer beside those of each element. */
export interface TintypeViewerEventMap extends Omit<HTMLElementEventMap, 'load' | 'error' | 'change'> {
  load: CustomEvent<{ clips: { name: string; periodS: number }[]; count: number; periodS: number; warnings: Diagnostic[] }>;
  /** A picture was drawn. */
  frame: CustomEvent<{ camera?: Camera; size: [number, number]; timeS?: number; index?: number; ms: number; state: 'moving' | 'still' }>;
  /** The user moved camera or moment. */
  change: CustomEvent<{ camera?: Camera; timeS: number; index: number }>;
  error: CustomEvent<Error & Partial<TintypeError>>;
}

declare global {
  interface HTMLElementTagNameMap {
    'tintype-viewer': TintypeViewer;
  }
}

export type { Camera, Diagnostic };
