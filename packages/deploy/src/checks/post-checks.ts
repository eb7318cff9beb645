import { setTimeout as sleep } from 'node:timers/promises';
import { errorRateOf } from '../metrics/observation.js';
import type { TrafficPlatform } from '../platform/index.js';
import { Skipped, type Check } from './check.js';
import { request } from './http-request.js';
import type { CheckSettings } from './settings.js';
import { smokeTest } from './smoke-test.js';
import { filledIn } from './variables.js';

/** The checks after a deployment: the health endpoint, one create and one read, and the error rate of the serving environment. */
export function postChecks(settings: CheckSettings, platform: TrafficPlatform): readonly Check[] {
  const { post, timeoutMs } = settings;
  return [
    ...verification(settings),
    {
      name: 'error rate',
      timeoutMs: timeoutMs + post.watchMs,
      run: async (signal) => await watchErrorRate(platform, post, signal),
    },
  ];
}

/** The checks that need only requests to the service. */
export function verification({ post: { url, health, smoke } }: CheckSettings): readonly Check[] {
  return [
    {
      name: 'health endpoint',
      run: async (signal) => {
        if (url === null) return new Skipped('checks.post.url is not set');
        const { status, body } = await request(new URL(health, filledIn(url)), { signal });
        await body?.cancel();
        if (status !== 200) throw new Error(`${health} returned ${status}`);
        return `${health} returned 200`;
      },
    },
    {
      name: 'smoke test',
      run: async (signal) => {
        if (url === null || smoke === null) return new Skipped('checks.post.smoke is not set');
        return await smokeTest(filledIn(url), smoke, signal);
      },
    },
  ];
}

async function watchErrorRate(
  platform: TrafficPlatform,
  { maxErrorRate, minRequests, watchMs }: CheckSettings['post'],
  signal: AbortSignal,
): Promise<string> {
  const front = await platform.front();
  const observation = await platform.observe();
  try {
    await sleep(watchMs, undefined, { signal });
    const sample = (await observation.read())[front];
    const rate = errorRateOf(sample);
    if (sample.requests < minRequests) {
      throw new Error(
        `not enough data: ${sample.requests} requests in ${watchMs} ms, at least ${minRequests} required`,
      );
    }
    if (rate === null) return 'no requests';
    const text = `${(rate * 100).toFixed(2)} % of ${sample.requests} requests`;
    if (rate > maxErrorRate) throw new Error(`${text} failed, more than the allowed ${maxErrorRate * 100} %`);
    return text;
  } finally {
    observation.close();
  }
}
