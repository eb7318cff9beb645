/** More hosts than perspectives on one PostgreSQL: a perspective whose host is behind is divided into segments, which they share. */
import {
  newId,
  PerspectiveFailed,
  RebuildMode,
  type AppliedEvent,
  type Perspective,
  type Service,
  type Uuid,
} from '@svc/core';
import { type PerspectiveCommit } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { svc } from '../operations/processes.js';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { OrderPlaced, records } from '../system-events/shop.js';
import { append, described, NoteTrace, shopWith, type Trace } from './perspective-shop.js';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.remove());
beforeEach(() => database.reset());

const soon = { timeout: 15_000, interval: 20 };
const notes = Array.from({ length: 12 }, (_, i) => `note ${i}`);

/** Fails at one note while it is told to. */
class FailingTrace extends NoteTrace implements Perspective<Trace, OrderPlaced> {
  static isBroken = false;

  override apply(model: Trace | null, event: OrderPlaced, context: AppliedEvent): Trace {
    if (FailingTrace.isBroken && event.note === 'note 3') throw new Error('It is broken.');
    return super.apply(model, event, context);
  }
}

/** Applies one note so slowly that its host is behind. */
class SlowTrace extends NoteTrace implements Perspective<Trace, OrderPlaced> {
  override apply(model: Trace | null, event: OrderPlaced, context: AppliedEvent): Trace {
    const end = performance.now() + 1_100;
    while (event.note === 'slow' && performance.now() < end);
    return super.apply(model, event, context);
  }
}

const oneTrace = [described(NoteTrace, [OrderPlaced])];

/** Called before each commit of a host. */
type BeforeCommit = (commit: PerspectiveCommit) => void | Promise<void>;

async function host(perspectives = oneTrace, before: BeforeCommit = () => {}, divideAfterMs = 0): Promise<Service> {
  const storage = postgres({ url: database.url, leaseMs: 60_000, divideAfterMs });
  const commit = storage.perspectives.commitPerspective.bind(storage.perspectives);
  storage.perspectives.commitPerspective = async (batch) => {
    await before(batch);
    await commit(batch);
  };
  const service = shopWith(perspectives, storage).start();
  await service.ready();
  await service.idle();
  return service;
}

/** Two hosts that have divided their only perspective. */
async function twoHosts(perspectives = oneTrace): Promise<[Service, Service]> {
  const hosts: [Service, Service] = [await host(perspectives), await host(perspectives)];
  await expect.poll(shares, soon).toEqual([1, 1]);
  return hosts;
}

/** How many segments each host processes. */
async function shares(): Promise<number[]> {
  const sql = `SELECT count(*)::int AS segments FROM svc_leases
    WHERE lane LIKE 'perspectives/%/of/%#%' AND expires_at > now() GROUP BY holder ORDER BY 1 DESC`;
  return (await database.query(sql)).rows.map((row: { segments: number }) => row.segments);
}

async function segments(): Promise<number> {
  return (await database.query("SELECT segments FROM svc_perspectives WHERE role = 'serving'")).rows[0]
    .segments as number;
}

/** Appends an event of each note to one stream. */
async function appendAll(service: Service, streamId: Uuid): Promise<Uuid[]> {
  const all: Uuid[] = [];
  for (const note of notes) all.push(await append(service, streamId, note));
  return all;
}

async function models(service: Service, perspective: typeof NoteTrace): Promise<(string[] | undefined)[]> {
  return await Promise.all(notes.map(async (note) => (await service.lens(perspective).find(note))?.ids));
}

it('two hosts process one perspective, and the last one makes it whole when the other stops', async () => {
  const [first, second] = await twoHosts();
  const streamId = newId();
  const all = [await appendAll(first, streamId), await appendAll(second, streamId)];
  for (const one of [first, second]) await one.lens(NoteTrace).waitFor(all[1]!.at(-1)!);
  expect(await models(second, NoteTrace)).toEqual(notes.map((_, i) => all.map((ids) => ids[i])));
  await first.stop();
  await expect.poll(segments, soon).toBe(1);
  const last = await append(second, streamId, notes[0]!);
  await second.lens(NoteTrace).waitFor(last);
  expect((await second.lens(NoteTrace).find(notes[0]!))!.ids).toEqual([all[0]![0], all[1]![0], last]);
});

it('a host divides a perspective only once it is behind', async () => {
  const slow = [described(SlowTrace, [OrderPlaced])];
  const hosts = [await host(slow, undefined, 1), await host(slow, undefined, 1)];
  const lanes = "SELECT count(*)::int AS hosts FROM svc_leases WHERE lane LIKE 'perspectives/%/host/%'";
  await expect.poll(async () => (await database.query(lanes)).rows[0], soon).toEqual({ hosts: 2 });
  for (const one of hosts) await one.lens(SlowTrace).waitFor(await append(one, newId(), 'quick'));
  expect(await segments()).toBe(1);
  await append(hosts[0]!, newId(), 'slow');
  await expect.poll(shares, soon).toEqual([1, 1]);
});

it('a caller that waits for an event waits for all segments', async () => {
  const [first, second] = await twoHosts();
  const streamId = newId();
  for (let i = 0; i < 3; i++) {
    const all = await appendAll(first, streamId);
    await second.lens(NoteTrace).waitFor(all.at(-1)!);
    expect((await models(second, NoteTrace)).map((ids) => ids?.[i])).toEqual(all);
  }
});

it('a stream stops only in the segment of the model that failed, and resumes on request', async () => {
  FailingTrace.isBroken = true;
  const [first, second] = await twoHosts([described(FailingTrace, [OrderPlaced])]);
  const streamId = newId();
  const all = await appendAll(first, streamId);
  await second.lens(FailingTrace).waitFor(all.at(-1)!);
  await expect.poll(() => second.lens(FailingTrace).stoppedStreams(), soon).toHaveLength(1);
  const built = (await models(second, FailingTrace)).map((ids) => ids !== undefined);
  expect(built[3]).toBe(false);
  // Other segments have processed the later events of the stream.
  expect(built.slice(4).filter(Boolean).length).toBeGreaterThan(0);
  expect(await records(first, PerspectiveFailed)).toHaveLength(1);
  FailingTrace.isBroken = false;
  await first.rebuildPerspective(FailingTrace, { streams: [streamId] });
  expect(await second.lens(FailingTrace).stoppedStreams()).toEqual([]);
  expect(await models(second, FailingTrace)).toEqual(all.map((id) => [id]));
  const more = await appendAll(second, streamId);
  await first.lens(FailingTrace).waitFor(more.at(-1)!);
  expect(await models(first, FailingTrace)).toEqual(all.map((id, i) => [id, more[i]]));
});

it.each([RebuildMode.BlueGreen, RebuildMode.InPlace, RebuildMode.SelectedStreams])(
  'a divided perspective is rebuilt in the mode %s while events are appended',
  async (mode) => {
    const [first, second] = await twoHosts();
    const streamId = newId();
    const rounds = [await appendAll(first, streamId), await appendAll(second, streamId)];
    await first.lens(NoteTrace).waitFor(rounds[1]!.at(-1)!);
    await database.query(`UPDATE svc_perspective_note_trace SET body = '{"ids":["wrong"]}', version = 1`);
    const rebuilding = first.rebuildPerspective(NoteTrace, { mode, streams: [streamId] });
    rounds.push(await appendAll(second, streamId));
    await rebuilding;
    rounds.push(await appendAll(first, streamId));
    await second.lens(NoteTrace).waitFor(rounds.at(-1)!.at(-1)!, { timeoutMs: 20_000 });
    expect(await models(second, NoteTrace)).toEqual(notes.map((_, i) => rounds.map((ids) => ids[i])));
  },
);

it('two hosts fill the new tables of a rebuild together', async () => {
  const filled: string[] = [];
  let hasHelped = (): void => {};
  const helped = new Promise<void>((resolve) => (hasHelped = resolve));
  const isFill = ({ tables }: PerspectiveCommit): boolean =>
    tables?.role === 'rebuilding' && tables.segment !== undefined;
  const first = await host(oneTrace, async (commit) => {
    if (!isFill(commit)) return;
    filled.push(`first ${commit.tables!.segment!.index}`);
    await helped;
  });
  const second = await host(oneTrace, (commit) => {
    if (!isFill(commit)) return;
    filled.push(`second ${commit.tables!.segment!.index}`);
    hasHelped();
  });
  await expect.poll(shares, soon).toEqual([1, 1]);
  const streamId = newId();
  const all = await appendAll(first, streamId);
  await first.lens(NoteTrace).waitFor(all.at(-1)!);
  await database.query(`UPDATE svc_perspective_note_trace SET body = '{"ids":["wrong"]}'`);
  const { eventsReplayed } = await first.rebuildPerspective(NoteTrace);
  expect(eventsReplayed).toBe(notes.length);
  expect(filled.toSorted()).toEqual(['first 0', 'second 1']);
  expect(await models(second, NoteTrace)).toEqual(all.map((id) => [id]));
});

it('the database rejects a commit of a host that does not know segments', async () => {
  await twoHosts();
  const commit = `UPDATE svc_perspectives SET sequence = sequence + 1, revision = revision + 1 WHERE name = 'NoteTrace'`;
  await expect(database.query(commit)).rejects.toThrow('Several hosts process NoteTrace in segments.');
});

it('hosts do not divide a perspective while one of them does not know segments', async () => {
  const first = await host();
  const lanes = "SELECT lane FROM svc_leases WHERE lane LIKE 'perspectives/%/host/%'";
  const [{ lane }] = (await database.query(lanes)).rows as [{ lane: string }];
  const earlier = lane.replace(/host\/.*/u, 'host/earlier');
  await database.query(`INSERT INTO svc_leases VALUES ('${earlier}', gen_random_uuid(), now() + interval '1 hour')`);
  const second = await host();
  for (const one of [first, second]) await second.lens(NoteTrace).waitFor(await append(one, newId(), 'x'));
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await segments()).toBe(1);
  await database.query(`DELETE FROM svc_leases WHERE lane = '${earlier}'`);
  await expect.poll(shares, soon).toEqual([1, 1]);
});

it('while a migration copies the models, every commit of a segment has its own revision', async () => {
  const [first] = await twoHosts();
  const streamId = newId();
  const revisions = async (): Promise<number[]> => {
    const { rows } = await database.query('SELECT revision::int FROM svc_perspective_note_trace ORDER BY key');
    return (rows as { revision: number }[]).map(({ revision }) => revision);
  };
  const each = async (): Promise<void> => {
    for (const note of notes) await first.lens(NoteTrace).waitFor(await append(first, streamId, note));
  };
  await each();
  const [before] = [...new Set(await revisions())];
  await database.query('UPDATE svc_perspectives SET copied = revision');
  await each();
  const during = await revisions();
  expect(Math.min(...during)).toBeGreaterThan(before!);
  expect(new Set(during).size).toBe(notes.length);
  expect(await first.lens(NoteTrace).find(notes[0]!)).toMatchObject({ ids: { length: 2 } });
});

it('operators see the segments with their hosts and places, and the health check those of its host', async () => {
  const [first] = await twoHosts();
  await first.lens(NoteTrace).waitFor(await append(first, newId(), 'x'));
  const listed = await svc('perspectives', 'list', '--database', database.url, '--json');
  const { perspectives } = JSON.parse(listed.out) as { perspectives: [{ sequence: number; segments: object[] }] };
  const [{ sequence, segments: all }] = perspectives;
  const common = { behind: 0, oldestWaiting: null, eventsPerSecond: null, stopped: 0 };
  const hosts = [expect.stringMatching(`:${process.pid}$`) as string];
  expect(all).toEqual([0, 1].map((segment) => Object.assign({ segment, sequence, hosts }, common)));
  const { out } = await svc('perspectives', 'list', '--database', database.url);
  expect(out).toMatch(new RegExp(`^  segment 1 +${sequence} +0 +- +- +\\S+:${process.pid}$`, 'm'));
  const { entries } = await first.health.run(({ name }) => name === 'svc_perspectives');
  expect(entries[0]).toMatchObject({ data: { 'NoteTrace.segments': 2, 'NoteTrace.segmentsHere': 1 } });
});
