export type { Decider, DeciderClass, NamedDecider, StateSnapshots } from './decider.js';
export { StreamOfDecider, type LoadedStream } from './loaded-stream.js';
export { snapshot, snapshotOptionsOf } from './snapshot-options.js';
export { Snapshots } from './snapshots.js';
export { evolved, initialState, type StreamState } from './stream-state.js';
