import { setTimeout as sleep } from 'node:timers/promises';
import { errorRateOf } from '../metrics/observation.js';
import type { TrafficPlatform } from '../platform/index.js';
import { Skipped, type Check } from './check.js';
import { request } from './http-request.js';
import type { CheckSettings } from './settings.js';
import { smokeTest } from './smoke-test.js';
import { filledIn } from './variables.js';

/** After a deployment: the health endpoint, one create and one read, and the error rate of what has the traffic. */
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

/** What can be asked of a service from outside at once. */
export function verification({ post: { url, health, smoke } }: CheckSettings): readonly Check[] {
  return [
    {
      name: 'health endpoint',
      run: async (signal) => {
        if (url === null) return new Skipped('checks.post.url is not set');
        const { status, body } = await request(new URL(health, filledIn(url)), { signal });
        await body?.cancel();
        if (status !== 200) throw new Error(`${health} answers ${status}`);
        return `${health} answers 200`;
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
      throw new Error(`no data: ${sample.requests} requests in ${watchMs} ms, ${minRequests} are needed`);
    }
    if (rate === null) return 'no requests';
    const text = `${(rate * 100).toFixed(2)} % of ${sample.requests} requests`;
    if (rate > maxErrorRate) throw new Error(`${text} failed, at most ${maxErrorRate * 100} % may`);
    return text;
  } finally {
    observation.close();
  }
}
