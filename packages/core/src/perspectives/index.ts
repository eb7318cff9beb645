export { PerspectiveLens } from './lens.js';
export type { AppliedEvent, NamedPerspective, Perspective } from './perspective.js';
export { pageBounds, pageNumber } from './page-numbers.js';
export {
  isServed,
  perspective,
  perspectiveAccessOf,
  type PerspectiveAccess,
  type PerspectiveOptions,
} from './perspective-options.js';
export { PerspectiveQuery, type ModelTexts } from './perspective-query.js';
export { perspectiveWorker } from './perspective-worker.js';
export { readStoredModel } from './stored-model.js';
export { rebuild, type RebuildOptions, type RebuildParts, type RebuildResult } from './rebuild.js';
