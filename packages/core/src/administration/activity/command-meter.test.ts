import { expect, it } from 'vitest';
import type { Dispatcher } from '../../dispatch/index.js';
import { ServiceError } from '../../errors/index.js';
import { CommandMeter, measuredDispatcher } from './command-meter.js';

class Order {}

/** A dispatcher whose commands end like this. */
function dispatcherOf(...outcomes: readonly (() => unknown)[]): Dispatcher {
  const left = [...outcomes];
  return { invoke: async () => left.shift()!() as never };
}

const failing = (error: Error) => (): never => {
  throw error;
};

const rejection = new ServiceError('SVC_COMMAND_REJECTED', 'No.');
const unavailable = new ServiceError('SVC_STORAGE_UNAVAILABLE', 'Later.');
const aborted = new DOMException('The client is gone.', 'AbortError');

it('counts commands, those that were rejected, and those that failed', async () => {
  const meter = new CommandMeter();
  meter.switchOn();
  const errors = [rejection, aborted, unavailable, new TypeError('A fault.')];
  const dispatcher = measuredDispatcher(
    dispatcherOf(() => 'done', ...errors.map(failing)),
    meter,
  );
  await expect(dispatcher.invoke(new Order())).resolves.toBe('done');
  for (const error of errors) await expect(dispatcher.invoke(new Order())).rejects.toBe(error);
  const { durations, ...counts } = meter.take();
  expect(counts).toEqual({ commands: 5, rejected: 2, failed: 2 });
  expect(Object.values(durations).reduce((sum, count) => sum + count, 0)).toBe(5);
  expect(meter.take()).toEqual({ commands: 0, rejected: 0, failed: 0, durations: {} });
});

it('counts nothing before it is switched on, and passes commands on', async () => {
  const meter = new CommandMeter();
  const dispatcher = measuredDispatcher(
    dispatcherOf(() => 'done', failing(rejection)),
    meter,
  );
  await expect(dispatcher.invoke(new Order())).resolves.toBe('done');
  await expect(dispatcher.invoke(new Order())).rejects.toBe(rejection);
  expect(meter.take().commands).toBe(0);
});
