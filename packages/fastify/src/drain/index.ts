export { Drain, type DrainOptions, type DrainOutcome, type Stoppable } from './drain.js';
export { drainOnSignals } from './signals.js';
