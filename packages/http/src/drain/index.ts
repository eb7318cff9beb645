export { HostDrain, type DrainedHost, type DrainOptions, type DrainOutcome, type Stoppable } from './drain.js';
export type { OpenReply } from './open-requests.js';
export { drainOnSignals } from './signals.js';
