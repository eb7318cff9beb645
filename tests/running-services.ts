/**
 * Stops the services that tests start. Test files share a process: a service that is left running would poll while later files run, and thousands of
 * times if such a file advances a fake clock.
 */
import { Service } from '@svc/core';
import { onTestFinished, TestRunner } from 'vitest';

/** The services that run, each with an error from where it was started. */
const running = new Map<Service, Error>();
const known = new WeakSet<Service>();
const kept = new WeakSet<object>();

const start = Reflect.get(Service.prototype, 'start');
const stop = Reflect.get(Service.prototype, 'stop');

Service.prototype.start = function (this: Service): Service {
  start.call(this);
  // A second start has no effect, also after a stop.
  if (!known.has(this)) {
    known.add(this);
    running.set(this, new Error('started'));
    stopAfterTest(this);
  }
  return this;
};

Service.prototype.stop = function (this: Service): Promise<void> {
  running.delete(this);
  return stop.call(this);
};

function stopAfterTest(service: Service): void {
  const test = TestRunner.getCurrentTest();
  // Of concurrent tests, Vitest knows only the last one that began.
  if (test === undefined || test.concurrent === true) return;
  onTestFinished(async () => {
    if (running.has(service) && !kept.has(service)) await service.stop();
  });
}

/** For a service that later tests of the file use as well. Its file stops it. */
export function keepAfterTest(service: object): void {
  kept.add(service);
}

/** Requires that a file has stopped the services that no test could stop. Stops them, so that no other file fails. */
export async function requireStoppedServices(): Promise<void> {
  if (running.size === 0) return;
  const places = [...running.values()].map(({ stack }) => stack!.split('\n').slice(2, 8).join('\n'));
  await Promise.all([...running.keys()].map((service) => service.stop()));
  throw new Error(
    `This file leaves services running: ${places.length}. A service that a test starts is stopped when the test ends. Stop those that ` +
      `beforeAll, a module or a concurrent test starts yourself, in afterAll or in the test. They were started here:\n${places.join('\n\n')}`,
  );
}
