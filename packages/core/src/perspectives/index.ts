export { foldOrderVersion } from './fold-order.js';
export { PerspectiveLens, type ModelPage } from './lens.js';
export type { LensQuery, Matching, Sort, Where } from './lens-query.js';
export { mostAlternatives, type FilterText, type ListRequest } from './list-request.js';
export { ModelAccess } from './model-access.js';
export { keyOfModelId, ModelOwners } from './model-owner.js';
export type { AppliedEvent, NamedPerspective, Perspective } from './perspective.js';
export { pageBounds, readPage, type PageNumbers } from './page-numbers.js';
export {
  isServed,
  ownerFilters,
  perspective,
  perspectiveAccessOf,
  type IndexableProperty,
  type PerspectiveAccess,
  type PerspectiveOptions,
} from './perspective-options.js';
export { PerspectiveQuery, type ModelTexts } from './perspective-query.js';
export { asOwnVersion, isInPlace, ofOwnVersion } from './own-version.js';
export { perspectiveWorker } from './perspective-worker.js';
export { replayBeside } from './replay-beside.js';
export { EventNotTakenError, TakenEvents, waitBounds, type EventWait, type WaitOptions } from './taken-events.js';
export { readEventWait } from './event-wait.js';
export { readStoredModel } from './stored-model.js';
export { removeLeftovers } from './leftovers.js';
export { rebuild, type RebuildOptions, type RebuildResult } from './rebuild.js';
export type { RebuildProgress } from './rebuild-report.js';
