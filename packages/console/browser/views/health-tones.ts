import type { Overview } from '../../src/contract/index.js';
import type { Tone } from '../parts/status.js';

export const healthTones: Readonly<Record<Overview['status'], Tone>> = {
  Healthy: 'ok',
  Degraded: 'warn',
  Unhealthy: 'bad',
};
