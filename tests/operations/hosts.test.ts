/** How hosts handle the requests of operators: who accepts them, who gives them back, and when they give up. */
import { newId, type Service } from '@svc/core';
import { OperationKind } from '@svc/core/hosting';
import {
  StorageUnavailableError,
  type MigratingStorage,
  type OperationRecord,
  type OperationRequest,
  type OperationStorage,
  type Storage,
} from '@svc/core/storage';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../deploy/wait-for.js';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { emittedEvents } from './emitted.js';
import { gated, startTrial, Tallies } from './trial-service.mjs';

const databases = useDatabases();

type Operated = MigratingStorage & { readonly operations: OperationStorage };

const asking = { waitMs: 60_000, isAlone: false };

function rebuildOf(target: string, given: object = {}): OperationRequest {
  return {
    id: newId(),
    kind: OperationKind.RebuildPerspective,
    target,
    arguments: { ...given },
    requestedBy: 'ann',
  };
}

function requestOf(kind: OperationKind, given: object): OperationRequest {
  return { id: newId(), kind, target: null, arguments: { ...given }, requestedBy: 'ann' };
}

describe.each(Object.keys(databases))('on %s', (kind) => {
  const [past, far] = kind === 'sqlite' ? [0, 4e12] : ["'2000-01-01'", "'2100-01-01'"];
  let database: TrialDatabase;
  let operator: Operated;
  let services: Service[];
  const reports: unknown[] = [];
  beforeEach(async () => {
    [services, database] = [[], await databases[kind]!()];
    reports.length = 0;
    operator = database.storage() as Operated;
    const streamId = newId();
    const events = Array.from({ length: 3 }, () =>
      pendingRecord(streamId, { type: 'trial.Counted', body: '{"note":"plain"}' }),
    );
    await operator.commit(commitRecord({ events }));
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await database.remove();
  });

  async function start(storage: Storage = database.storage()): Promise<Service> {
    const service = await startTrial(storage, { report: (error) => reports.push(error) });
    services.push(service);
    return service;
  }
  const found = async ({ id }: OperationRequest): Promise<OperationRecord> => (await operator.operations.find(id))!;
  const ended = (request: OperationRequest): Promise<OperationRecord> =>
    waitFor(async () => {
      const operation = await found(request);
      return operation.finishedAt === null ? null : operation;
    }, 'it ends');

  it('gives back its running requests when it stops, and another host resumes them', async () => {
    const { gate, storage } = gated(database.storage());
    const first = await start(storage);
    gate.hold();
    const request = rebuildOf('Tallies');
    await operator.operations.ask(request, asking);
    await waitFor(async () => (await found(request)).progress !== null, 'the first host runs it');
    const stopping = first.stop();
    gate.go();
    await stopping;
    expect(await found(request)).toMatchObject({ state: 'waiting', isHeld: false, attempts: 0 });
    await start();
    expect(await ended(request)).toMatchObject({ state: 'done', attempts: 1, result: { streamsProcessed: 1 } });
    expect(reports).toEqual([]);
  });

  it('runs others concurrently with a long one, and stops what another host has taken over', async () => {
    const { gate, storage } = gated(database.storage());
    await start(storage);
    gate.hold();
    const [long, short] = [rebuildOf('Tallies'), rebuildOf('Fragile', { mode: 'InPlace' })];
    await operator.operations.ask(long, asking);
    await waitFor(async () => (await found(long)).progress !== null, 'it runs');
    await operator.operations.ask(short, asking);
    expect(await ended(short)).toMatchObject({ state: 'done' });
    // As after a pause that was longer than the lease.
    const another = newId();
    await database.query(
      `UPDATE svc_operations SET holder = '${another}', held_until = ${far} WHERE id = '${long.id}'`,
    );
    await expect
      .poll(() => emittedEvents(operator, 'PerspectiveRebuildFailed'), { timeout: 10_000 })
      .toMatchObject([
        {
          perspectiveName: 'Tallies',
          error: expect.stringContaining('Another host has taken over the operation') as string,
        },
      ]);
    expect(await operator.operations.finish(long.id, another, { state: 'done', result: null, error: null })).toBe(true);
  });

  it('restarts its running requests after a short outage of the database', async () => {
    const { gate, storage } = gated(database.storage());
    await start(storage);
    gate.failOnce(new StorageUnavailableError('none', new Error('away')));
    const request = rebuildOf('Tallies');
    await operator.operations.ask(request, asking);
    await waitFor(() => reports.length > 0, 'the host reports it');
    expect(reports).toMatchObject([{ code: 'SVC_STORAGE_UNAVAILABLE' }]);
    expect(await found(request)).toMatchObject({ finishedAt: null, attempts: 1 });
    await database.query(`UPDATE svc_operations SET held_until = ${past} WHERE id = '${request.id}'`);
    expect(await ended(request)).toMatchObject({ state: 'done', attempts: 2, result: { streamsProcessed: 1 } });
  });

  it('leaves unknown requests to other hosts, and reports invalid ones', async () => {
    await start();
    const others = [rebuildOf('Unknown'), { ...rebuildOf('Tallies'), kind: 'perspectives.polish' }];
    const odd = [
      [rebuildOf('Tallies', { mode: 'Sideways' }), 'mode'],
      [rebuildOf('Tallies', { streams: ['x'] }), 'streams'],
      [rebuildOf('Tallies', { faster: true }), 'faster'],
      [{ ...rebuildOf('Tallies'), kind: OperationKind.DiscardDeadLetter }, 'reason'],
      [requestOf(OperationKind.DiscardDeadLetter, { reason: 'r', cause: 'Boring' }), 'cause'],
      [
        requestOf(OperationKind.DiscardDeadLetter, { reason: 'r', cause: 'Expired', deadLetter: newId() }),
        'deadLetter',
      ],
      [requestOf(OperationKind.ReplayDeadLetters, { cause: 'Boring' }), 'cause'],
    ] as const;
    for (const request of [...others, ...odd.map(([one]) => one)]) await operator.operations.ask(request, asking);
    for (const [request, name] of odd) {
      expect(await ended(request)).toMatchObject({
        state: 'failed',
        error: expect.stringContaining(`does not understand its argument "${name}"`) as string,
      });
    }
    for (const request of others) expect(await found(request)).toMatchObject({ state: 'waiting', attempts: 0 });
  });

  it('does not restart a request that was running when hosts crashed five times', async () => {
    const request = rebuildOf('Tallies');
    await operator.operations.ask(request, asking);
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await operator.operations.claim(request.id, newId())).toMatchObject({ attempts: attempt });
      await database.query(`UPDATE svc_operations SET held_until = ${past} WHERE id = '${request.id}'`);
    }
    const service = await start();
    expect(await ended(request)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('lost 5 times') as string,
    });
    // The models that were there stay; the host reads them in the background after its start.
    await expect.poll(() => service.lens(Tallies).list(), { timeout: 10_000 }).toHaveLength(1);
  });
});
