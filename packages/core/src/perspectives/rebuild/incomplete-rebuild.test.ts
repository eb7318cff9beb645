import { beforeEach, describe, expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import { InMemoryStorage, migratingTables, type InMemoryPerspectives } from '../../storage/index.js';
import { RebuildMode } from '../../system-events/index.js';
import { PerspectiveFailedError } from '../apply/perspective-failed-error.js';
import { emitterTo } from '../testing/trial-emitter.js';
import { appendNote, notesOf, notesPerspective } from '../testing/trial-notes.js';
import { rebuildParts } from '../testing/trial-rebuild.js';
import { catchUp } from './catch-up.js';
import { IncompleteRebuildError } from './incomplete-rebuild.js';
import { rebuild, totalOf, type RebuildOptions } from './rebuild.js';
import { replayInto } from './replay-into.js';
import type { RebuildParts } from './replay.js';

const failing = new Set<string>();
const named = notesPerspective({ failing });
const [one, other] = [newId(), newId()];

let storage: InMemoryStorage;
let perspectives: InMemoryPerspectives;
let emitted: object[];
let failed: PerspectiveFailedError[];
let parts: RebuildParts;

beforeEach(() => {
  storage = new InMemoryStorage();
  ({ perspectives } = storage);
  [emitted, failed] = [[], []];
  failing.clear();
  parts = rebuildParts(storage, { emitter: emitterTo(emitted), failed: (error) => void failed.push(error) });
});

const append = (note: string, streamId = one): Uuid => appendNote(storage, note, { streamId }).id;
const serve = () => catchUp(named, { into: 'Notes', isShared: false, signal: undefined }, parts);
const rebuilt = (options: RebuildOptions = {}) => rebuild(named, options, parts);
const modelOf = (streamId = one): Promise<string | undefined> => notesOf(perspectives, 'Notes', streamId);

/** Two streams whose models serve, and a program that can no longer apply an event of the first. */
async function broken(): Promise<Uuid> {
  append('a');
  const bad = append('b');
  append('c', other);
  await serve();
  failing.add('b');
  return bad;
}

describe('a rebuild that fails at streams at which the serving models have not stopped', () => {
  it('fails, and the serving models stay', async () => {
    const bad = await broken();
    const error = await rebuilt().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(IncompleteRebuildError);
    expect(error).toMatchObject({
      code: 'SVC_REBUILD_INCOMPLETE',
      perspectiveName: 'Notes',
      failedStreams: 1,
      first: { streamId: one, eventId: bad, errorMessage: 'cannot apply b' },
    });
    expect((error as Error).message).toBe(
      `The models of Notes are not replaced: the rebuild failed at 1 stream at which the serving models have not stopped. The first is stream ${one}, at event ${bad}: Error: cannot apply b. The previous models still serve. Fix the code and rebuild again, or accept the failures: "svc perspectives rebuild Notes --accept-failures", or acceptFailures in a program.`,
    );
    expect([await modelOf(), await modelOf(other)]).toEqual(['ab', 'c']);
    expect(await perspectives.readStopped('Notes')).toEqual([]);
    expect(await perspectives.readRebuilding('Notes')).toEqual([]);
    expect(emitted.at(-1)).toMatchObject({ error: expect.stringContaining('Notes are not replaced') as string });
  });

  it('counts all of them, and names the one whose event is first', async () => {
    for (const streamId of [other, one]) append('bad', streamId);
    await serve();
    failing.add('bad');
    await expect(rebuilt()).rejects.toMatchObject({ failedStreams: 2, first: { streamId: other } });
  });

  it('fails at an earlier event of a stopped stream', async () => {
    append('a');
    append('b');
    failing.add('b');
    await serve();
    failing.add('a');
    await expect(rebuilt()).rejects.toMatchObject({ failedStreams: 1 });
    expect(await modelOf()).toBe('a');
  });

  it('replaces the models if the failures are accepted, and returns their number', async () => {
    await broken();
    expect(await rebuilt({ acceptFailures: true })).toEqual({
      streamsProcessed: 2,
      eventsReplayed: 3,
      stoppedStreams: 1,
    });
    expect([await modelOf(), await modelOf(other)]).toEqual(['a', 'c']);
    expect(await perspectives.readStopped('Notes')).toHaveLength(1);
  });

  it('quotes no more than the start of a long error', async () => {
    append('x'.repeat(1_000));
    await serve();
    failing.add('x'.repeat(1_000));
    const { message } = (await rebuilt().catch((caught: unknown) => caught)) as Error;
    expect(message).toMatch(/Error: cannot apply x{280}x?\. The previous models/);
  });
});

describe('a rebuild that fails at other streams replaces the models', () => {
  it('at streams at which the serving models have stopped at the same event', async () => {
    append('bad');
    append('c', other);
    failing.add('bad');
    await serve();
    expect(await rebuilt()).toMatchObject({ stoppedStreams: 1 });
    expect(await modelOf(other)).toBe('c');
  });

  it('at a later event of a stopped stream', async () => {
    append('a');
    append('b');
    failing.add('a');
    await serve();
    failing.clear();
    failing.add('b');
    expect(await rebuilt()).toMatchObject({ stoppedStreams: 1 });
    expect(await modelOf()).toBe('a');
  });

  it('at events that the serving models have not processed', async () => {
    append('a');
    await serve();
    append('bad');
    append('bad', other);
    failing.add('bad');
    expect(await rebuilt()).toMatchObject({ stoppedStreams: 2 });
    expect([await modelOf(), await modelOf(other)]).toEqual(['a', undefined]);
  });

  it('but not if it has failed at an event that the serving models have processed, too', async () => {
    append('bad');
    await serve();
    append('bad', other);
    failing.add('bad');
    await expect(rebuilt()).rejects.toMatchObject({ failedStreams: 1, first: { streamId: one } });
  });
});

it.each([
  ['in place', { mode: RebuildMode.InPlace }],
  ['of selected streams', { streams: [one, other] }],
])('a rebuild %s returns how many streams it has stopped at', async (_, options) => {
  await broken();
  expect(await rebuilt(options)).toEqual({
    streamsProcessed: 2,
    eventsReplayed: expect.any(Number) as number,
    stoppedStreams: 1,
  });
  failing.clear();
  expect(await rebuilt(options)).not.toHaveProperty('stoppedStreams');
});

it('adds up the stopped streams of several databases', () => {
  const result = { streamsProcessed: 1, eventsReplayed: 1 };
  expect(totalOf([{ ...result, stoppedStreams: 2 }, result, { ...result, stoppedStreams: 1 }])).toEqual({
    streamsProcessed: 3,
    eventsReplayed: 3,
    stoppedStreams: 3,
  });
});

describe('a replay into the tables of another version', () => {
  const into = migratingTables('Notes', 'abc');
  const replayed = () => replayInto(named, into, new AbortController().signal, parts);

  it('fails at streams at which the serving models have not stopped', async () => {
    await broken();
    await expect(replayed()).rejects.toMatchObject({ code: 'SVC_REBUILD_INCOMPLETE', failedStreams: 1 });
    await expect(replayed()).rejects.toThrow('Fix the code, then start the service again.');
  });

  it('succeeds if both have stopped at the same streams', async () => {
    append('bad');
    failing.add('bad');
    await serve();
    await replayed();
    expect(await perspectives.readStopped(into)).toHaveLength(1);
  });
});

describe('the log of a rebuild', () => {
  it('has each failure with the error of the event as its cause', async () => {
    const bad = await broken();
    await rebuilt().catch(() => {});
    expect(failed).toEqual([expect.any(PerspectiveFailedError)]);
    expect(failed[0]).toMatchObject({
      code: 'SVC_PERSPECTIVE_FAILED',
      perspectiveName: 'Notes',
      streamId: one,
      eventId: bad,
      eventType: 'test.Noted',
      cause: { message: 'cannot apply b', stack: expect.stringContaining('trial-notes') as string },
    });
    expect(failed[0]!.message).toContain(`Notes has stopped at stream ${one}: it failed at event ${bad} (test.Noted)`);
  });

  it.each([
    ['into other tables', {}],
    ['in place', { mode: RebuildMode.InPlace }],
  ])('has the first ten failures of a rebuild %s', async (_, options) => {
    for (let i = 0; i < 12; i++) append('bad', newId());
    failing.add('bad');
    await rebuilt({ ...options, acceptFailures: true });
    expect(failed).toHaveLength(10);
    expect(await perspectives.readStopped('Notes')).toHaveLength(12);
    await rebuilt({ ...options, acceptFailures: true });
    expect(failed).toHaveLength(20);
  });

  it('has the first ten failures of a replay', async () => {
    for (let i = 0; i < 12; i++) append('bad', newId());
    failing.add('bad');
    await replayInto(named, migratingTables('Notes', 'abc'), new AbortController().signal, parts);
    expect(failed).toHaveLength(10);
  });

  it('has the first ten failures of a rebuild of selected streams', async () => {
    const streams = Array.from({ length: 12 }, () => newId());
    for (const streamId of streams) append('bad', streamId);
    await serve();
    failing.add('bad');
    await rebuilt({ streams });
    expect(failed).toHaveLength(10);
  });
});
