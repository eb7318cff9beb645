export { BackgroundWorker } from './background-worker.js';
export { detached } from './detached.js';
export { nextTurn } from './next-turn.js';
export { RetryDelay, retryDelayMs } from './retry-delay.js';
export { unlessAborted } from './unless-aborted.js';
