/** The commands of an operator on hosts in other processes, which are interrupted, killed and fixed during the test. */
import { newId, type Uuid } from '@svc/core';
import { type CommitRecord, type DeadLetterCause, type Storage } from '@svc/core/storage';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../deploy/wait-for.js';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { startCommand, startHost, svc, type Started } from './processes.js';
import { emittedEvents } from './emitted.js';

const databases = useDatabases();

const streams = Array.from({ length: 30 }, () => newId());
const [good, bad] = streams as [Uuid, Uuid];
const perStream = 20;

/** Enough for two batches, with a note that a broken program fails on, and messages that a broken broker rejects. */
function history(): CommitRecord {
  const notes = streams.flatMap((streamId) => Array.from({ length: perStream }, (_, i) => ({ streamId, i })));
  const events = notes.map(({ streamId, i }) =>
    counted(streamId, streamId === bad && i === 3 ? 'bad' : streamId === good && i < 3 ? `refused ${i}` : 'plain'),
  );
  const outgoing = events
    .filter(({ body }) => body.includes('refused'))
    .map(({ id }) => ({
      id: newId(),
      lane: 'transport' as const,
      destination: 'trial',
      message: null,
      note: null,
      eventId: id,
    }));
  return commitRecord({ events, outgoing });
}

function counted(streamId: Uuid, note: string): CommitRecord['events'][number] {
  return pendingRecord(streamId, { type: 'trial.Counted', body: JSON.stringify({ note }) });
}

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  let storage: Storage;
  let broken: Started;
  let fixed: Started | undefined;
  beforeAll(async () => {
    database = await databases[kind]!();
    storage = database.storage();
    await storage.commit(history());
    broken = await startHost(kind, database.where, 'broken');
    await waitFor(
      async () => (await json('perspectives', 'list')).perspectives.every(({ behind }) => behind === 0),
      'perspectives have taken everything',
    );
  });
  afterAll(async () => {
    for (const { child } of [broken, fixed].filter((host) => host !== undefined)) child.kill('SIGKILL');
    await database.remove();
  });

  const at = (...args: string[]) => svc(...args, '--database', database.where);
  const json = async (...args: string[]): Promise<Answer> => JSON.parse((await at(...args, '--json')).out) as Answer;
  const command = (...args: string[]): Started => startCommand(...args, '--database', database.where);

  it('rebuilds: shows its progress, rejects a second rebuild, and reports its result', async () => {
    await broken.send('hold');
    const rebuilding = command('perspectives', 'rebuild', 'Tallies', '--as', 'ann');
    await rebuilding.prints(/\[[#.]{24}\] +\d+ % {2}\d+ of 30 streams {2}\d+ events/);
    const second = await at('perspectives', 'rebuild', 'Tallies');
    expect([second.code, second.error]).toEqual([1, expect.stringContaining('is already requested by ann')]);
    const list = await at('perspectives', 'list');
    expect(list.out).toMatch(/perspectives\.rebuild of Tallies, requested by ann: running, \d+ of 30 streams/);
    await broken.send('go');
    expect([await rebuilding.ended, rebuilding.errors]).toEqual([0, '']);
    expect(rebuilding.output).toMatch(/Rebuilt Tallies: 30 streams, 600 events in \d+\.\d s\.\n$/);
    await expect
      .poll(() => emittedEvents(storage, 'OperationEnded'))
      .toMatchObject([{ kind: 'perspectives.rebuild', target: 'Tallies', requestedBy: 'ann', outcome: 'done' }]);
    expect(await emittedEvents(storage, 'OperationStarted')).toMatchObject([
      { arguments: { mode: 'BlueGreen' }, attempt: 1 },
    ]);
  });

  it('cancels a rebuild on an interrupt, or by another command', async () => {
    await broken.send('hold');
    const interrupted = command('perspectives', 'rebuild', 'Tallies');
    await interrupted.prints('of 30 streams');
    interrupted.child.kill('SIGINT');
    expect(await interrupted.ended).toBe(5);
    expect(interrupted.errors).toBe('Cancelled. The models are unchanged.\n');

    await broken.send('hold');
    const { id } = await json('perspectives', 'rebuild', 'Tallies', '--detach');
    const cancelled = await at('perspectives', 'cancel', id);
    expect([cancelled.code, cancelled.out]).toEqual([0, `Request ${id} has ended: cancelled.`]);
    const again = await at('perspectives', 'cancel', id);
    expect([again.code, again.error]).toEqual([1, `Request ${id} has already ended: cancelled.`]);
    const tally = (await json('perspectives', 'list')).perspectives.find(({ name }) => name === 'Tallies');
    expect(tally).toMatchObject({ behind: 0, stopped: [] });
  });

  it('lists the state of perspectives, and reports a stream that stops again after an early retry', async () => {
    let list = await at('perspectives', 'list');
    // A busy host can be late to renew its lease: then none is listed for a moment.
    await expect
      .poll(async () => (list = await at('perspectives', 'list')).out, { timeout: 10_000 })
      .toMatch(new RegExp(`^Fragile +\\d+ +0 +\\S+ +1 stream +\\S+:${broken.child.pid} `, 'm'));
    const why = 'TypeError: This program does not know bad notes.';
    expect(list.out).toContain(`Stopped streams of Fragile:\n  ${bad} at event 3 (`);
    expect(list.out).toContain(why);
    const retried = await at('perspectives', 'retry', 'Fragile');
    expect(retried.code).toBe(1);
    expect(retried.out).toContain(`Fragile: resumed 0 of 1 stream. Stopped again:\n  ${bad} at event 3: ${why}`);
    const other = await at('perspectives', 'retry', 'Fragile', '--stream', good);
    expect([other.code, other.error]).toEqual([
      1,
      expect.stringContaining(`Fragile has not stopped at stream ${good}.`),
    ]);
  });

  it('resumes a rebuild on another host when the first one is killed', async () => {
    await broken.send('hold');
    const rebuilding = command('perspectives', 'rebuild', 'Tallies', '--json', '--wait', '60');
    await waitFor(
      async () => (await json('perspectives', 'list')).operations.some(({ state }) => state === 'running'),
      'a host runs it',
    );
    fixed = await startHost(kind, database.where, 'fixed');
    broken.child.kill('SIGKILL');
    expect([await rebuilding.ended, rebuilding.errors]).toEqual([0, '']);
    expect(JSON.parse(rebuilding.output)).toMatchObject({
      state: 'done',
      attempts: 2,
      result: { streamsProcessed: 30, eventsReplayed: 600 },
    });
  });

  it('resumes the stopped streams of a perspective after the program is fixed', async () => {
    const retried = await at('perspectives', 'retry', 'Fragile');
    expect([retried.code, retried.out]).toEqual([0, expect.stringContaining('Fragile: resumed 1 of 1 stream.')]);
    expect((await json('perspectives', 'list')).perspectives.map(({ stopped }) => stopped)).toEqual([[], []]);
    expect((await at('perspectives', 'retry', 'Fragile')).out).toContain('Fragile has no stopped streams.');
    const selected = await at('perspectives', 'rebuild', 'Tallies', '--stream', good);
    expect([selected.code, selected.out]).toEqual([0, expect.stringContaining('Rebuilt Tallies: 1 stream, 20 events')]);
  });

  it('lists dead letters without their bodies, shows one, replays and discards each once', async () => {
    const { deadLetters } = await json('dead-letters', 'list');
    const [first, second, third] = deadLetters.map(({ id }) => id) as [string, string, string];
    expect(deadLetters).toHaveLength(3);
    const list = await at('dead-letters', 'list', '--direction', 'outgoing', '--limit', '2');
    expect(list.out).toContain(`${first}  outgoing   TooLarge  trial.Counted`);
    expect(list.out).toContain(`More dead letters: --after ${second}`);
    expect(list.out + JSON.stringify(deadLetters)).not.toContain('refused');
    expect((await json('dead-letters', 'list', '--after', second)).deadLetters).toMatchObject([{ id: third }]);
    expect((await at('dead-letters', 'list', '--direction', 'incoming')).out).toContain('no dead letters');
    expect((await at('dead-letters', 'show', first)).out).toContain('body\n{"note":"refused 0"}');
    expect(await json('dead-letters', 'show', first)).toMatchObject({ message: { body: '{"note":"refused 0"}' } });

    const replayed = await at('dead-letters', 'replay', first, '--as', 'bob');
    expect([replayed.code, replayed.out]).toEqual([0, expect.stringContaining('Replayed 1 dead letter.')]);
    const again = await at('dead-letters', 'replay', first);
    expect([again.code, again.error]).toEqual([1, expect.stringContaining(`There is no dead letter ${first}`)]);
    const discarded = await at('dead-letters', 'discard', second, '--reason', 'sent by hand', '--as', 'ann');
    expect([discarded.code, discarded.out]).toEqual([0, expect.stringContaining(`Discarded ${second}.`)]);
    expect((await at('dead-letters', 'show', second)).code).toBe(1);
    expect(await json('dead-letters', 'replay', '--all')).toMatchObject({
      state: 'done',
      result: { replayed: 1, failed: [], failedTotal: 0 },
    });
    expect((await json('dead-letters', 'list')).deadLetters).toEqual([]);
    await expect
      .poll(() => emittedEvents(storage, 'DeadLetterReplayed'))
      .toMatchObject([{ deadLetterId: first, scope: { userId: 'bob', source: 'operator' } }, { deadLetterId: third }]);
    expect(await emittedEvents(storage, 'DeadLetterDiscarded')).toMatchObject([
      { deadLetterId: second, reason: 'sent by hand', scope: { userId: 'ann' } },
    ]);
  });

  it('lists, replays and discards all dead letters of one cause only', async () => {
    const letter = (cause: DeadLetterCause) => ({
      id: newId(),
      direction: 'incoming' as const,
      cause,
      destination: 'trial',
      origin: 'mallory',
      message: {
        id: newId(),
        type: 'trial.Counted',
        streamId: newId(),
        body: '{"note":"forged"}',
        timestamp: Date.now(),
        correlationId: newId(),
        causationId: null,
        scope: null,
        metadata: {},
      },
      errorName: 'MessageRejectedError',
      errorMessage: 'no',
      attempts: 1,
      firstFailedAt: Date.now(),
      lastFailedAt: Date.now(),
    });
    const deadLetters = [...Array.from({ length: 5 }, () => letter('UnprovenOrigin')), letter('TypeMismatch')];
    await storage.commit({ events: [], outgoing: [], delivered: null, received: [], deadLetters });
    const list = await at('dead-letters', 'list', '--cause', 'TypeMismatch');
    expect(list.out).toContain(`${deadLetters[5]!.id}  incoming   TypeMismatch  trial.Counted  trial  mallory`);
    expect(list.out).not.toContain('UnprovenOrigin');
    const replayed = await at('dead-letters', 'replay', '--all', '--cause', 'TypeMismatch');
    expect([replayed.code, replayed.out]).toEqual([1, expect.stringContaining('Replayed 0 dead letters. 1 failed')]);
    const discarded = await at('dead-letters', 'discard', '--all', '--cause', 'UnprovenOrigin', '--reason', 'forged');
    expect([discarded.code, discarded.out]).toEqual([0, expect.stringContaining('Discarded 5 dead letters.')]);
    expect((await json('dead-letters', 'list')).deadLetters).toMatchObject([{ id: deadLetters[5]!.id }]);
    await at('dead-letters', 'discard', deadLetters[5]!.id, '--reason', 'forged');
  });

  it('reports that no host accepted the request, and withdraws it', async () => {
    fixed!.child.stdin!.end();
    expect([await fixed!.ended, fixed!.errors]).toEqual([0, '']);
    const alone = await at('perspectives', 'rebuild', 'Tallies', '--wait', '0.3');
    expect([alone.code, alone.error]).toEqual([
      6,
      expect.stringContaining('No host accepted the request within 0.3 s'),
    ]);
    expect((await json('perspectives', 'list')).operations).toEqual([]);
    const unknown = await at('perspectives', 'rebuild', 'Talies');
    expect([unknown.code, unknown.error]).toEqual([1, expect.stringContaining('It has Fragile, Tallies.')]);
  });
});

interface Answer {
  readonly id: string;
  readonly perspectives: readonly { readonly name: string; readonly behind: number; readonly stopped: unknown[] }[];
  readonly operations: readonly { readonly state: string }[];
  readonly deadLetters: readonly { readonly id: string }[];
}
