export { PerspectiveLens } from './lens.js';
export type { AppliedEvent, NamedPerspective, Perspective } from './perspective.js';
export {
  perspective,
  perspectiveAccessOf,
  type PerspectiveAccess,
  type PerspectiveOptions,
} from './perspective-options.js';
export { PerspectiveQuery, type ModelTexts } from './perspective-query.js';
export { perspectiveWorker } from './perspective-worker.js';
export { rebuild, type RebuildOptions, type RebuildParts, type RebuildResult } from './rebuild.js';
