/** Commands that wait for a stream, measured for OpenTelemetry, with a real SDK, and for Prometheus. */
import { newId, type Service } from '@svc/core';
import { openTelemetry } from '@svc/telemetry';
import { prometheus } from '@svc/telemetry/prometheus';
import { expect, it, onTestFinished } from 'vitest';
import { ReserveSeats, theater } from '../deciders/theater.js';
import { samplesIn } from './samples.js';
import { Sdk } from './sdk.js';

const showId = newId();

function reserve(service: Service, signal?: AbortSignal): Promise<unknown> {
  return service.dispatcher.invoke(
    Object.assign(new ReserveSeats(), { showId }),
    signal === undefined ? {} : { signal },
  );
}

it('measures commands that wait for a stream, also those that are cancelled', async () => {
  const sdk = Sdk.register();
  onTestFinished(() => sdk.stop());
  const gathered = prometheus({ processMetrics: false });
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const service = await theater({
    afterDeciding: () => released,
    configure: (own) => own.useTelemetry(openTelemetry({ metrics: [gathered] })),
  });
  const expectWaiting = async (count: number): Promise<void> => {
    await expect
      .poll(async () => samplesIn(await gathered.read(), 'svc_stream_queue_waiting'), { timeout: 20_000 })
      .toEqual({ Show: count });
    expect(await sdk.measured('svc.stream_queue.waiting')).toMatchObject([{ value: count }]);
  };

  const cancelled = new AbortController();
  const commands = [reserve(service), reserve(service), reserve(service)];
  const rejected = reserve(service, cancelled.signal).catch((error: unknown) => error);
  await expectWaiting(3);
  cancelled.abort();
  expect(await rejected).toBe(cancelled.signal.reason);
  await expectWaiting(2);
  release();
  await Promise.all(commands);
  await expectWaiting(0);
  expect(samplesIn(await gathered.read(), 'svc_stream_queue_wait_seconds_count')).toEqual({ Show: 3 });
  const [wait] = await sdk.measured('svc.stream_queue.wait');
  const { count, sum } = wait!.value as { count: number; sum: number };
  expect(count).toBe(3);
  expect(sum).toBeGreaterThan(0);
  expect(sum).toBeLessThan(60);

  // A command that does not wait is not measured.
  await reserve(service);
  expect(samplesIn(await gathered.read(), 'svc_stream_queue_wait_seconds_count')).toEqual({ Show: 3 });
});
