export { foldOrderVersion } from './apply/fold-order.js';
export { ModelHistory, type PastModel, type PastModels } from './history/model-history.js';
export { LiveModels } from './live/live-models.js';
export type { LiveWatch } from './live/live-group.js';
export type { LiveModel, LiveStep, LiveUpsert } from './live/live-window.js';
export { PerspectiveLens, type ModelPage } from './read/lens.js';
export type { LensQuery, Matching, Sort, Where } from './read/lens-query.js';
export { mostAlternatives, type FilterText, type ListRequest } from './read/list-request.js';
export { ModelAccess } from './read/model-access.js';
export { ModelReader } from './read/model-reader.js';
export type { FindModels, ModelSource } from './read/model-source.js';
export { ModelOwners } from './model-owner.js';
export type { AppliedEvent, NamedPerspective, Perspective } from './perspective.js';
export { pageBounds, readPage, type PageNumbers } from './read/page-numbers.js';
export {
  isServed,
  ownerFilters,
  perspective,
  perspectiveAccessOf,
  type IndexableProperty,
  type PerspectiveAccess,
  type PerspectiveOptions,
} from './perspective-options.js';
export { PerspectiveQuery, type ModelTexts } from './read/perspective-query.js';
export { isInPlace, ofOwnVersion } from './own-version.js';
export { perspectiveWorker } from './apply/perspective-worker.js';
export { FillLanes } from './rebuild/shared-fill.js';
export { RebuildHelp } from './rebuild/rebuild-help.js';
export type { RebuildParts } from './rebuild/replay.js';
export { towardsEvenShare } from './apply/even-share.js';
export { Divisions } from './apply/divisions.js';
export type { PerspectiveWork } from './apply/perspective-work.js';
export {
  perspectiveHolders,
  perspectiveLanes,
  WorkShare,
  type PerspectiveHolder,
  type SharedPerspectives,
} from './apply/work-share.js';
export { replayInto } from './rebuild/replay-into.js';
export {
  EventNotProcessedError,
  ProcessedEvents,
  waitBounds,
  type EventWait,
  type WaitOptions,
} from './read/processed-events.js';
export { readEventWait } from './read/event-wait.js';
export { readStoredModel } from './stored-model.js';
export { removeLeftovers } from './rebuild/leftovers.js';
export { rebuild, totalOf, type RebuildOptions, type RebuildResult } from './rebuild/rebuild.js';
export type { RebuildProgress } from './rebuild/rebuild-report.js';
