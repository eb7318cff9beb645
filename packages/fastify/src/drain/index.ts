export { Drain, type DrainOptions, type DrainOutcome, type Stoppable } from './drain.js';
export { addProbeRoutes } from './probe-routes.js';
export { drainOnSignals } from './signals.js';
