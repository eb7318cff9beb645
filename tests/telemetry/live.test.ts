/** Measurements of live queries over real connections: the same for OpenTelemetry, with a real SDK, and for Prometheus. */
import type { Service } from '@svc/core';
import { openTelemetry } from '@svc/telemetry';
import { prometheus } from '@svc/telemetry/prometheus';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { LiveClient } from '../live/live-client.js';
import { by, everyone, expectShown, host, noteService, securedNotes, watchNotes } from '../live/live-notes.js';
import { subscribe } from '../live/subscription-client.js';
import { place } from '../perspectives/perspective-shop.js';
import { samplesIn } from './samples.js';
import { Sdk } from './sdk.js';

let sdk: Sdk;
let gathered: ReturnType<typeof prometheus>;

beforeEach(() => {
  sdk = Sdk.register();
  gathered = prometheus({ processMetrics: false });
});
afterEach(() => sdk.stop());

function watched(service: Service): Service {
  return service.useTelemetry(openTelemetry({ metrics: [gathered] }));
}

/** Waits until a metric has these values, by its labels, for OpenTelemetry and Prometheus. */
async function expectMeasured(name: string, prometheusName: string, expected: Record<string, number>): Promise<void> {
  const measured = async (): Promise<unknown> => ({
    openTelemetry: Object.fromEntries(
      (await sdk.measured(name)).map(({ attributes, value }) => [Object.values(attributes).join(' '), value]),
    ),
    prometheus: samplesIn(await gathered.read(), prometheusName),
  });
  await expect.poll(measured, { timeout: 20_000 }).toEqual({ openTelemetry: expected, prometheus: expected });
}

/** A client that only stores the text of its response. */
async function readText(url: string, init: RequestInit = {}): Promise<{ text: string }> {
  const aborted = new AbortController();
  onTestFinished(() => aborted.abort());
  const response = await fetch(url, { ...init, signal: aborted.signal });
  const read = { text: '' };
  const decoder = new TextDecoder();
  void (async () => {
    for await (const chunk of response.body!) read.text += decoder.decode(chunk as Uint8Array, { stream: true });
  })().catch(() => {});
  return read;
}

async function watch(url: string, headers: Record<string, string> = {}): Promise<LiveClient> {
  const client = new LiveClient();
  onTestFinished(() => client.close());
  await client.connect(`${url}/notes/live`, headers);
  return client;
}

it('counts open connections, over REST and GraphQL', async () => {
  const service = watched(noteService());
  const url = await host(service);
  const rest = await watch(url);
  const graphql = subscribe({ urls: [url], query: watchNotes });
  await expectMeasured('svc.live.connections', 'svc_live_connections', { NotePerspective: 2 });
  rest.close();
  await expectMeasured('svc.live.connections', 'svc_live_connections', { NotePerspective: 1 });
  graphql.close();
  await expectMeasured('svc.live.connections', 'svc_live_connections', { NotePerspective: 0 });
});

it('counts the steps that clients get, and their bytes', async () => {
  const service = watched(noteService());
  const url = await host(service);
  const rest = await readText(`${url}/notes/live`);
  const graphql = await readText(`${url}/graphql`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ query: watchNotes }),
  });
  await expect.poll(() => [rest, graphql].every(({ text }) => text.includes('data:'))).toBe(true);
  await place(service, 'Grüße');
  await expect.poll(() => [rest, graphql].every(({ text }) => text.includes('Grüße'))).toBe(true);
  await expectMeasured('svc.live.steps', 'svc_live_steps_total', {
    'NotePerspective page': 2,
    'NotePerspective changes': 2,
  });
  const sizes = [rest, graphql].flatMap(({ text }) =>
    text.split(/(?<=\n\n)/).map((block) => [block, Buffer.byteLength(block)] as const),
  );
  const sum = (isCounted: (block: string) => boolean): number =>
    sizes.reduce((bytes, [block, size]) => (block.startsWith('retry:') || !isCounted(block) ? bytes : bytes + size), 0);
  await expectMeasured('svc.live.sent', 'svc_live_sent_bytes_total', {
    'NotePerspective page': sum((block) => !block.includes('Grüße')),
    'NotePerspective changes': sum((block) => block.includes('Grüße')),
  });
});

it('distinguishes clients that continue at their place from those whose place is unknown', async () => {
  const service = watched(noteService());
  const url = await host(service);
  await place(service, 'a');
  await service.idle();
  const client = await watch(url);
  await expectShown(client, 'a');
  client.close();
  await client.connect(`${url}/notes/live`);
  await expectMeasured('svc.live.steps', 'svc_live_steps_total', {
    'NotePerspective page': 1,
    'NotePerspective resumed': 1,
  });
  client.close();
  client.place = 'unknown';
  await client.connect(`${url}/notes/live`);
  const subscriber = subscribe({ urls: [url], query: watchNotes, variables: { since: 'unknown' } });
  await expectShown(subscriber, 'a');
  await expectMeasured('svc.live.steps', 'svc_live_steps_total', {
    'NotePerspective page': 1,
    'NotePerspective resumed': 1,
    'NotePerspective reset': 2,
  });
});

it('counts requests that a limit rejects, by the limit', async () => {
  const service = watched(securedNotes(everyone()));
  const url = await host(service, { live: { perHost: 2, perCaller: 1 } });
  expect((await watch(url, by('ann'))).status).toBe(200);
  expect((await watch(url, by('ann'))).status).toBe(429);
  const rejected = subscribe({ urls: [url], query: watchNotes, headers: by('ann') });
  await expect.poll(() => rejected.isEnded).toBe(true);
  expect((await watch(url, by('bob'))).status).toBe(200);
  expect((await watch(url, by('bob'))).status).toBe(503);
  await expectMeasured('svc.live.rejected', 'svc_live_rejected_total', {
    'GuardedPerspective caller': 2,
    'GuardedPerspective host': 1,
  });
  await expectMeasured('svc.live.connections', 'svc_live_connections', { GuardedPerspective: 2 });
});
