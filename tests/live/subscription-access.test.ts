/** Who may subscribe, and within which limits: those of live queries over REST. */
import type { SecurityContext } from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { graphQL } from '@svc/graphql';
import { serve } from '@svc/http';
import { NetworkError } from 'graphql-sse';
import { describe, expect, it, onTestFinished } from 'vitest';
import { place } from '../perspectives/perspective-shop.js';
import { LiveClient } from './live-client.js';
import {
  by,
  caller,
  everyone,
  expectShown,
  expectSoon,
  host,
  noteService,
  securedNotes,
  watchNotes,
} from './live-notes.js';
import { subscribe, type Subscriber } from './subscription-client.js';

const watchOne = 'subscription ($id: ID!) { note(id: $id) { note } }';

function statusOf({ error }: Subscriber): number | undefined {
  return error instanceof NetworkError ? (error.response as Response | undefined)?.status : undefined;
}

describe('access to a subscription', () => {
  it('is that of the query: 401 without a valid credential, FORBIDDEN without the permission', async () => {
    const url = await host(securedNotes(everyone()));
    for (const headers of [{}, by('mallory')]) {
      const client = subscribe({ urls: [url], query: watchNotes, headers });
      await expectSoon(() => client.isEnded);
      expect([statusOf(client), client.results]).toEqual([401, []]);
    }
    for (const query of [watchNotes, watchOne]) {
      const client = subscribe({ urls: [url], query, variables: { id: 'x' }, headers: by('eve') });
      await expectSoon(() => client.isComplete);
      expect(client.results).toMatchObject([{ errors: [{ extensions: { code: 'FORBIDDEN' } }] }]);
      expect(client.results[0]).not.toHaveProperty('data');
    }
  });

  it('shows no tenant the models of another, not even that there are changes', async () => {
    const known = everyone();
    const service = securedNotes(known);
    const url = await host(service);
    const watch = (name: string, variables = {}): Subscriber =>
      subscribe({ urls: [url], query: watchNotes, variables, headers: by(name) });
    const [ann, bob] = [watch('ann'), watch('bob')];
    await expectSoon(() => ann.results.length + bob.results.length === 2);
    const id = await runAs(known.get('ann')!, () => place(service, 'secret of a'));
    await expectShown(ann, 'secret of a');
    const one = subscribe({ urls: [url], query: watchOne, variables: { id }, headers: by('bob') });
    await expectSoon(() => one.isComplete);
    expect(one.results).toEqual([{ data: { note: null } }]);
    await runAs(known.get('bob')!, () => place(service, 'of b'));
    await expectShown(bob, 'of b');
    expect(bob.results).toHaveLength(2);
    // A place of another caller gives access to nothing.
    const thief = watch('bob', { since: ann.variables['since'] });
    await expectSoon(() => thief.results.length > 0);
    expect(JSON.stringify([bob.results, thief.results])).not.toContain('secret');
  });

  it.each([
    ['the credential is no longer valid', (known: Map<string, SecurityContext>) => known.delete('ann')],
    [
      'the permission was removed',
      (known: Map<string, SecurityContext>) => known.set('ann', caller({ tenantId: 'a', userId: 'ann' })),
    ],
    [
      'the credential belongs to another tenant now',
      (known: Map<string, SecurityContext>) => known.set('ann', known.get('bob')!),
    ],
  ])('ends when %s', async (_when, change) => {
    const known = everyone();
    const url = await host(securedNotes(known), { live: { checkMs: 300 } });
    const client = subscribe({ urls: [url], query: watchNotes, headers: by('ann') });
    await expectSoon(() => client.results.length === 1);
    change(known);
    await expectSoon(() => client.isEnded);
    // Not complete: a client with a new credential connects again.
    expect(client.isComplete).toBe(false);
  });
});

describe('the limits of subscriptions', () => {
  it('count them with live queries over REST: 429 for a caller, 503 for the host', async () => {
    const url = await host(securedNotes(everyone()), { live: { perCaller: 2, perHost: 3 } });
    const rest = async (name: string): Promise<number> => {
      const client = new LiveClient();
      onTestFinished(() => client.close());
      return (await client.connect(`${url}/notes/live`, by(name))).status;
    };
    const graphql = async (name: string): Promise<number> => {
      const client = subscribe({ urls: [url], query: watchNotes, headers: by(name) });
      await expectSoon(() => client.isEnded || client.results.length > 0);
      return statusOf(client) ?? 200;
    };
    expect([await rest('ann'), await graphql('ann')]).toEqual([200, 200]);
    expect([await rest('ann'), await graphql('ann')]).toEqual([429, 429]);
    expect([await graphql('bob'), await graphql('bob'), await rest('bob')]).toEqual([200, 503, 503]);
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...by('ann') },
      body: JSON.stringify({ query: watchNotes }),
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
  });

  it('are logged without a stack when they reject a request, as over REST', async () => {
    const lines: object[] = [];
    const log = { info: (fields: object) => lines.push(fields), error: (fields: object) => lines.push(fields) };
    const url = await host(securedNotes(everyone()), { live: { perCaller: 1 }, log });
    const client = new LiveClient();
    onTestFinished(() => client.close());
    await client.connect(`${url}/notes/live`, by('ann'));
    const rejected = { detail: expect.stringMatching(/^You have 1 live connections/) as string };
    const rest = new LiveClient();
    expect((await rest.connect(`${url}/notes/live`, by('ann'))).status).toBe(429);
    const subscriber = subscribe({ urls: [url], query: watchNotes, headers: by('ann') });
    await expectSoon(() => subscriber.isEnded);
    expect(lines).toEqual([
      expect.objectContaining(rejected),
      expect.objectContaining({ ...rejected, code: 'TOO_MANY_REQUESTS' }),
    ]);
    expect(lines.filter((fields) => 'err' in fields)).toEqual([]);
  });

  it('hold when many connect at once, and rejected ones take no room', async () => {
    const url = await host(securedNotes(everyone()), { live: { perCaller: 5 } });
    const denied = Array.from({ length: 20 }, () =>
      subscribe({ urls: [url], query: watchOne, variables: { id: 'none' }, headers: by('ann') }),
    );
    for (const client of denied) await expectSoon(() => client.isEnded);
    const clients = Array.from({ length: 20 }, () => subscribe({ urls: [url], query: watchNotes, headers: by('ann') }));
    for (const client of clients) await expectSoon(() => client.isEnded || client.results.length > 0);
    const statuses = clients.map((client) => statusOf(client) ?? 200);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  it('send a slow reader the latest state, and hold at most one step for it', async () => {
    // Without an index, notes can be long.
    const service = noteService(undefined, undefined, []);
    const url = await host(service);
    const id = await place(service, 'start');
    await service.idle();
    let resume: (() => void) | undefined;
    let pause: Promise<void> | null = null;
    const slowly: typeof fetch = async (input, init) => {
      const { body, status } = await fetch(input, init);
      const slow = new TransformStream<Uint8Array, Uint8Array>({
        async transform(chunk, controller) {
          await pause;
          controller.enqueue(chunk);
        },
      });
      return new Response(body!.pipeThrough(slow), { status });
    };
    const client = subscribe({ urls: [url], query: watchNotes, fetchFn: slowly });
    await expectShown(client, 'start');
    pause = new Promise((resolve) => (resume = resolve));
    const long = 'x'.repeat(100_000);
    for (let i = 0; i < 60; i++) {
      await place(service, `${i} ${long}`, id);
      await service.idle();
    }
    resume!();
    await expectSoon(() => String(client.models[0]!['note']).startsWith('59 '));
    // Buffers of the connection hold some; 60 states of 100 kB do not fit.
    expect(client.results.length).toBeLessThan(50);
  });

  it('send heartbeats, and end without complete when the host drains', async () => {
    const service = noteService();
    const served = await serve(service, {
      port: 0,
      live: { heartbeatMs: 300 },
      graphql: graphQL(),
      drain: { noticeMs: 0, limitMs: 10_000 },
    });
    let text = '';
    const listening: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const heard = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          text += new TextDecoder().decode(chunk);
          controller.enqueue(chunk);
        },
      });
      return new Response(response.body!.pipeThrough(heard), { status: response.status });
    };
    const client = subscribe({ urls: [served.url], query: watchNotes, fetchFn: listening });
    await expectSoon(() => text.split('\n').filter((line) => line === ':').length >= 2);
    expect(service.watches).toBe(1);
    expect(await served.drain.drain()).toEqual({ clean: true, cut: 0 });
    await expectSoon(() => client.isEnded);
    expect([client.isComplete, text.includes('complete'), /retry: \d+\n\n$/.test(text)]).toEqual([false, false, true]);
  });
});
