export { PerspectiveLens } from './lens.js';
export type { AppliedEvent, NamedPerspective, Perspective } from './perspective.js';
export { perspectiveWorker } from './perspective-worker.js';
