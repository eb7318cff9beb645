export { LiveConnections, type LiveOptions } from './live-connections.js';
export { LiveStream } from './live-stream.js';
