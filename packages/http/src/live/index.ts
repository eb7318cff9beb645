export { LiveConnections, LiveLimitError, type LiveOptions } from './live-connections.js';
export type { LiveStream, WriteStep } from './live-stream.js';
export { bytesOf } from './live-text.js';
export { openLive, setStreamHeaders, type LiveRequest } from './open-live.js';
