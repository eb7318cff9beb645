import { expect, it } from 'vitest';
import { ServiceError } from '../../errors/index.js';
import { CommandMeter } from './command-meter.js';

const rejection = new ServiceError('SVC_COMMAND_REJECTED', 'No.');
const unavailable = new ServiceError('SVC_STORAGE_UNAVAILABLE', 'Later.');
const aborted = new DOMException('The client is gone.', 'AbortError');

it('counts commands, those that were rejected, and those that failed', () => {
  const meter = new CommandMeter();
  meter.succeeded(5);
  for (const error of [rejection, aborted, unavailable, new TypeError('A fault.')]) meter.failed(5, error);
  const { durations, ...counts } = meter.take();
  expect(counts).toEqual({ commands: 5, rejected: 2, failed: 2 });
  expect(Object.values(durations)).toEqual([5]);
  expect(meter.take()).toEqual({ commands: 0, rejected: 0, failed: 0, durations: {} });
});
