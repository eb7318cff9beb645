import { HealthStatus, type HealthCheck } from './health-check.js';

/** What liveness asks: the process runs and its event loop turns. Nothing it depends on: restarting would not mend that. */
export const selfCheck: HealthCheck = {
  name: 'self',
  tags: ['live'],
  check: () => ({ status: HealthStatus.Healthy }),
};
