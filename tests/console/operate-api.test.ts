/** What operators see and do over the API of the console, against real databases. */
import { AccessGranted, DeadLetterReplayed, newId, OperationStarted, runAsHost, type Uuid } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { wrap } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { OrderPlaced, records } from '../system-events/shop.js';
import { OperatedShop } from './operated-shop.js';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.remove());

const kinds: Record<string, () => Storage> = {
  sqlite: () => sqlite({ file: ':memory:' }),
  postgres: () => postgres({ url: database.url }),
};

const patience = { timeout: 30_000 };
const reason = 'A customer called.';

interface Operation {
  readonly id: string;
  readonly state: string;
}

describe.each(Object.keys(kinds))('the console, on %s', (kind) => {
  let shop: OperatedShop;
  beforeAll(async () => {
    shop = await OperatedShop.start((service) => service.useStorage(kinds[kind]!()));
  });
  afterAll(() => shop.stop());

  async function place(note: string, tenantId = 'acme'): Promise<Uuid> {
    const streamId = newId();
    const event = Object.assign(new OrderPlaced(), { note });
    const envelope = wrap('shop.OrderPlaced', event, { streamId, scope: { tenantId, userId: 'ann' } });
    await runAsHost(() => shop.service.eventStore.append(streamId, envelope));
    await shop.service.idle();
    return streamId;
  }

  /** The arguments of the last record of an operation. */
  async function recordOf(operation: string) {
    return (await records(shop.service, OperationStarted)).findLast((record) => record.kind === operation);
  }

  const ended = (id: string) =>
    expect.poll(async () => (await shop.get<Operation>(`/operations/${id}`)).state, patience);

  it('shows perspectives and their stopped streams, retries and rebuilds them, and records why', async () => {
    const [bad] = await Promise.all([place('bad'), place('good')]);
    await expect
      .poll(() => shop.get('/perspectives'), patience)
      .toMatchObject({ perspectives: [{ name: 'Tallies', behind: 0, stopped: 1, operation: null }] });
    expect(await shop.get('/perspectives/Tallies?limit=1', 'viewer')).toMatchObject({
      perspective: { name: 'Tallies', stopped: 1 },
      stoppedStreams: [{ streamId: bad, errorName: 'TypeError', errorMessage: 'Bad notes cannot be counted.' }],
      next: null,
    });
    shop.faults.perspective = false;
    const retry = await shop.post<Operation>('/perspectives/Tallies/retry', { stream: bad, reason });
    await ended(retry.id).toBe('done');
    expect(await shop.get('/perspectives/Tallies')).toMatchObject({ perspective: { stopped: 0 }, stoppedStreams: [] });
    expect(await recordOf('perspectives.retry')).toMatchObject({
      requestedBy: 'olga',
      target: 'Tallies',
      arguments: { stream: bad, reason },
    });

    const rebuild = await shop.post<Operation>('/perspectives/Tallies/rebuild', { mode: 'BlueGreen', reason });
    await ended(rebuild.id).toBe('done');
    expect(await shop.get(`/operations/${rebuild.id}`)).toMatchObject({
      kind: 'perspectives.rebuild',
      requestedBy: 'olga',
      reason,
      isOpen: false,
      arguments: { mode: 'BlueGreen' },
      result: { streamsProcessed: 2 },
    });
    expect(await shop.get('/operations')).toMatchObject({ open: [], recent: [{ id: rebuild.id }, { id: retry.id }] });
    await shop.rejected(422, `/operations/${rebuild.id}/cancel`, { reason });
  });

  it('rejects a rebuild that cannot be done, without a request', async () => {
    const path = '/perspectives/Tallies/rebuild';
    await shop.rejected(400, path, { mode: 'BlueGreen' });
    await shop.rejected(400, path, { mode: 'SelectedStreams', reason });
    await shop.rejected(400, path, { mode: 'BlueGreen', streams: [newId()], reason });
    await shop.rejected(400, path, { mode: 'InPlace', eventsPerSecond: 5, reason });
    await shop.rejected(400, path, { mode: 'BlueGreen', reason, force: true });
    const unknown = await shop.rejected(404, '/perspectives/Others/rebuild', { mode: 'BlueGreen', reason });
    expect(unknown).toMatchObject({ detail: 'There is no perspective Others. There are Tallies.' });
    await shop.rejected(404, '/perspectives/Others');
    await shop.rejected(404, `/operations/${newId()}`);
    expect(await shop.get('/operations')).toMatchObject({ open: [] });
  });

  it('shows reactions and their failed streams, retries, skips, pauses and resumes, and records why', async () => {
    const streams = await Promise.all([place('bad'), place('bad')]);
    await expect
      .poll(async () => await shop.get('/reactions/mail'), patience)
      .toMatchObject({ reaction: { name: 'mail', parked: 3, isPaused: false } });
    const first = await shop.get<{ failedStreams: { streamId: string }[]; next: string }>('/reactions/mail?limit=2');
    const second = await shop.get<typeof first>(`/reactions/mail?limit=2&after=${first.next}`);
    expect([first.failedStreams.length, second.failedStreams.length, second.next]).toEqual([2, 1, null]);
    const [skipped, retried] = streams;
    expect(await shop.post('/reactions/mail/skip', { stream: skipped, reason })).toEqual({ skipped });
    expect(await recordOf('reactions.skip')).toMatchObject({
      target: 'mail',
      requestedBy: 'olga',
      arguments: { stream: skipped, reason },
    });
    shop.faults.reaction = false;
    expect(await shop.post('/reactions/mail/retry', { stream: retried, reason })).toEqual({ retried: 1 });
    expect(await shop.post('/reactions/mail/retry', { reason })).toMatchObject({ retried: expect.any(Number) });
    await expect
      .poll(() => shop.get('/reactions/mail'), patience)
      .toMatchObject({ reaction: { waiting: 0, parked: 0 }, failedStreams: [] });
    await shop.rejected(422, '/reactions/mail/retry', { stream: newId(), reason });
    await shop.rejected(404, '/reactions/post/retry', { reason });

    expect(await shop.post('/reactions/mail/pause', { reason })).toEqual({ isPaused: true });
    expect(await shop.get('/reactions')).toMatchObject({
      reactions: expect.arrayContaining([expect.objectContaining({ name: 'mail', isPaused: true })]),
    });
    expect(await shop.post('/reactions/mail/resume', { reason })).toEqual({ isPaused: false });
    expect(await recordOf('reactions.pause')).toMatchObject({ arguments: { reason } });
  });

  it('shows scheduled commands, runs and cancels them, and records why', async () => {
    await Promise.all(['later', 'later'].map((note) => shop.deliver(note)));
    const { commands } = await shop.get<{ commands: { id: string; type: string }[] }>('/schedule?tenant=acme');
    expect(commands).toMatchObject([1, 2].map(() => ({ type: 'shop.PingOrder', tenant: 'acme', state: 'waiting' })));
    expect(await shop.get('/schedule?tenant=globex')).toEqual({ commands: [], next: null });
    const [run, cancelled] = commands.map(({ id }) => id);
    expect(await shop.post(`/schedule/${run}/run`, { reason })).toEqual({
      id: run,
      type: 'shop.PingOrder',
      state: 'due',
    });
    expect(await shop.post(`/schedule/${cancelled}/cancel`, { reason })).toMatchObject({ state: 'cancelled' });
    expect(await recordOf('schedule.cancel')).toMatchObject({ arguments: { command: cancelled, reason } });
    await expect.poll(() => shop.get('/schedule'), patience).toEqual({ commands: [], next: null });
    await shop.rejected(404, `/schedule/${cancelled}/cancel`, { reason });
    await shop.rejected(400, '/schedule/no-id/cancel', { reason });
  });

  it('shows the instances of processes, and the history of one', async () => {
    await place('basket:1', 'globex');
    await place('basket:2', 'globex');
    const list = (query: string) => shop.get<{ instances: { key: string }[]; next: string | null }>(query);
    await expect
      .poll(async () => (await list('/processes?open=true')).instances.map(({ key }) => key), patience)
      .toContain('basket');
    const { next } = await list('/processes?limit=1');
    expect((await list(`/processes?limit=1&after=${next}`)).instances).toHaveLength(1);
    const path = '/processes/checkout/basket?tenant=globex';
    await expect
      .poll(() => shop.get(path), patience)
      .toMatchObject({
        streamId: expect.any(String),
        steps: [1, 2].map(() => ({ kind: 'processed', event: { type: 'shop.OrderPlaced' } })),
        next: null,
      });
    expect(await shop.get(`${path}&limit=1`)).toMatchObject({ steps: [{ kind: 'processed' }], next: '1' });
    expect(await shop.get(`${path}&limit=1&after=1`)).toMatchObject({ steps: [{ kind: 'processed' }], next: null });
    await shop.rejected(404, '/processes/checkout/basket');
  });

  it('shows dead letters with their bodies, and records who has seen one', async () => {
    const message = await shop.deliver('poison 1');
    const { deadLetters } = await shop.get<{ deadLetters: { id: string }[] }>('/dead-letters?direction=incoming');
    expect(deadLetters).toMatchObject([
      { messageId: message.id, cause: 'Refused', tenant: 'acme', messageType: 'shop.PlaceOrder', isEditable: true },
    ]);
    expect(JSON.stringify(deadLetters)).not.toContain('poison');
    const id = deadLetters[0]!.id;
    expect(await shop.get(`/dead-letters/${id}`, 'viewer')).toMatchObject({
      errorMessage: 'Poison is not sold.',
      message: { body: message.body, isTruncated: false },
    });
    const granted = (await records(shop.service, AccessGranted)).filter(({ resourceId }) => resourceId === id);
    expect(granted).toMatchObject([{ resourceType: 'dead-letter', scope: { userId: 'vera' } }]);
    expect(await shop.get('/dead-letters?cause=TooLarge')).toEqual({ deadLetters: [], next: null });
    await shop.rejected(400, '/dead-letters?cause=Bad');
    await shop.rejected(404, `/dead-letters/${newId()}`);
    await shop.post('/dead-letters/discard', { ids: [id], reason });
  });

  it('replays, edits and discards dead letters, each with its outcome, and records why', async () => {
    const sent = await Promise.all(['poison 2', 'poison 3', 'poison 4'].map((note) => shop.deliver(note)));
    const list = async () =>
      (await shop.get<{ deadLetters: { id: string; messageId: string }[] }>('/dead-letters')).deadLetters;
    const idOf = new Map((await list()).map(({ id, messageId }) => [messageId, id]));
    const [edited, replayed] = sent.map(({ id }) => idOf.get(id)!);
    expect(await shop.post('/dead-letters/replay', { ids: [replayed], reason })).toEqual({
      changed: 0,
      failed: [{ id: replayed, error: 'Poison is not sold.' }],
      operation: null,
    });
    expect(await recordOf('dead-letters.replay')).toMatchObject({ arguments: { ids: [replayed], reason } });

    await shop.rejected(422, `/dead-letters/${edited}/edit`, { body: '{', reason });
    await shop.rejected(422, `/dead-letters/${edited}/edit`, { body: sent[0]!.body, reason });
    const body = sent[0]!.body.replace('poison 2', 'medicine');
    const { messageId } = await shop.post<{ messageId: string }>(`/dead-letters/${edited}/edit`, { body, reason });
    await shop.rejected(404, `/dead-letters/${edited}/edit`, { body, reason });
    expect((await records(shop.service, DeadLetterReplayed)).at(-1)).toMatchObject({
      deadLetterId: edited,
      messageId: sent[0]!.id,
      newMessageId: messageId,
      reason,
      scope: { userId: 'olga' },
    });
    expect(await recordOf('dead-letters.edit')).toMatchObject({ arguments: { deadLetter: edited, reason } });

    await shop.rejected(400, '/dead-letters/discard', { reason });
    await shop.rejected(400, '/dead-letters/discard', { ids: [replayed], cause: 'Refused', reason });
    const { operation } = await shop.post<{ operation: Operation }>('/dead-letters/replay', {
      cause: 'Refused',
      reason,
    });
    await ended(operation.id).toBe('done');
    expect(await shop.get(`/operations/${operation.id}`)).toMatchObject({
      reason,
      result: { replayed: 0, failedTotal: 2 },
    });
    const discard = await shop.post<{ operation: Operation }>('/dead-letters/discard', { cause: 'Refused', reason });
    await ended(discard.operation.id).toBe('done');
    expect(await list()).toEqual([]);
  });

  it("shows a tenant's auditor the dead letters of that tenant only, and nothing of the service", async () => {
    const [own, other] = await Promise.all([shop.deliver('poison 5', 'acme'), shop.deliver('poison 6', 'globex')]);
    const all = await shop.get<{ deadLetters: { id: string; messageId: string }[] }>('/dead-letters');
    const idOf = (message: { id: string }) => all.deadLetters.find(({ messageId }) => messageId === message.id)!.id;
    const seen = await shop.get<typeof all>('/dead-letters', 'auditor');
    expect(seen.deadLetters.map(({ messageId }) => messageId)).toEqual([own.id]);
    await shop.rejected(404, `/dead-letters/${idOf(other)}`, undefined, 'auditor');
    await shop.rejected(404, `/dead-letters/${idOf(other)}/edit`, { body: '{}', reason }, 'auditor');
    const ids = [idOf(own), idOf(other)];
    expect(await shop.post('/dead-letters/discard', { ids, reason }, 'auditor')).toMatchObject({
      changed: 1,
      failed: [{ id: idOf(other) }],
    });
    for (const path of ['/perspectives', '/reactions', '/schedule', '/processes', '/operations', '/migrations'])
      await shop.rejected(403, path, undefined, 'auditor');
    await shop.rejected(403, '/dead-letters/replay', { cause: 'Refused' }, 'auditor');
    await shop.rejected(403, '/dead-letters/discard', { cause: 'Refused', reason }, 'auditor');
    await shop.rejected(403, '/dead-letters?database=eu', undefined, 'auditor');
    await shop.rejected(403, '/reactions/mail/pause', { reason }, 'viewer');
    await shop.rejected(403, '/perspectives', undefined, 'clerk');
    await shop.post('/dead-letters/discard', { ids: [idOf(other)], reason });
  });

  it('shows the migrations, and that the service has one database', async () => {
    const { migrations, pending } = await shop.get<{ migrations: { key: string }[]; pending: [] }>('/migrations');
    expect(migrations.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['infrastructure/events', 'perspective/Tallies']),
    );
    expect(pending).toEqual([]);
    expect(await shop.get('/session')).toMatchObject({ databases: [], isOperator: true, mayAct: true });
    await shop.rejected(404, '/perspectives?database=eu');
  });
});
