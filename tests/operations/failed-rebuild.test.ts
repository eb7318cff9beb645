/** A rebuild by a program that can no longer read stored events, requested with the command. */
import { createService, newId, ServiceError, type Perspective, type Service, type Uuid } from '@svc/core';
import { pendingRecord, commitRecord, type PerspectiveDescriptor } from '@svc/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../deploy/wait-for.js';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { described } from '../perspectives/perspective-shop.js';
import { svc } from './processes.js';

const databases = useDatabases();

class Added {
  title = '';
  author?: string;
}

interface Book {
  readonly title: string;
}

class Books implements Perspective<Book, Added> {
  apply(_model: Book | null, { title }: Added): Book {
    return { title };
  }
}

/** `requiresAuthor`: a new program has added a required property to the event, without a new version of it. */
function registry(requiresAuthor: boolean) {
  const read = (value: unknown): Added => {
    const event = Object.assign(new Added(), value);
    if (requiresAuthor && event.author === undefined)
      throw new ServiceError('SVC_INVALID_MESSAGE', 'author is missing.');
    return event;
  };
  const perspectives: PerspectiveDescriptor<object>[] = [described(Books, [Added])];
  return {
    messages: [{ type: 'library.Added', kind: 'event' as const, class: Added, read, write: JSON.stringify }],
    receptors: [],
    endpoints: [],
    perspectives,
    openapi: { paths: {}, components: { schemas: {} } },
  };
}

interface Operation {
  readonly state: string;
  readonly result: unknown;
  readonly error: string | null;
}

describe.each(Object.keys(databases))('on %s', (kind) => {
  const streams = [newId(), newId(), newId()] as const;
  let database: TrialDatabase;
  let service: Service;
  let reported: unknown[];

  async function start(requiresAuthor: boolean): Promise<void> {
    reported = [];
    service = createService(registry(requiresAuthor))
      .useStorage(database.storage())
      .addSystemEvents((options) => options.enableAll())
      .addServicePerspectives()
      .reportTo((error) => void reported.push(error))
      .start();
    await service.ready();
    await service.idle();
  }
  const titleOf = async (id: Uuid): Promise<string | undefined> => (await service.lens(Books).find(id))?.title;
  const at = (...args: string[]) => svc('perspectives', 'rebuild', 'Books', ...args, '--database', database.where);
  const json = async (...args: string[]): Promise<{ code: number; operation: Operation }> => {
    const { code, out } = await at(...args, '--json');
    return { code, operation: JSON.parse(out) as Operation };
  };

  beforeEach(async () => {
    database = await databases[kind]!();
    await start(false);
    const events = streams.map((id, i) =>
      pendingRecord(id, {
        type: 'library.Added',
        body: JSON.stringify({ title: `Book ${i}`, ...(i === 2 && { author: 'Eco' }) }),
      }),
    );
    const storage = database.storage();
    await storage.open?.();
    await storage.commit(commitRecord({ events }));
    await waitFor(async () => (await titleOf(streams[2])) === 'Book 2', 'the models are there');
    await service.stop();
    await start(true);
  });
  afterEach(async () => {
    await service.stop();
    await database.remove();
  });

  it('ends with exit code 1 and leaves the models unchanged', async () => {
    const { code, out, error } = await at();
    expect(code).toBe(1);
    expect(out).not.toContain('Rebuilt');
    expect(error).toMatch(
      /The models of Books are not replaced: the rebuild failed at 2 streams at which the serving models have not stopped\. The first is stream .*: Cannot read an event of type library\.Added\..* with upcasters\. The previous models still serve\..* "svc perspectives rebuild Books --accept-failures"/,
    );
    expect(error).toContain(streams[0]);
    expect(await Promise.all(streams.map(titleOf))).toEqual(['Book 0', 'Book 1', 'Book 2']);
    const found = await json();
    expect(found).toMatchObject({ code: 1, operation: { state: 'failed', result: null } });
    expect(found.operation.error).toContain('failed at 2 streams');
    const stopped = reported.filter((failure) => (failure as ServiceError).code === 'SVC_PERSPECTIVE_FAILED');
    expect(stopped).toMatchObject(
      [0, 1, 0, 1].map((i) => ({
        code: 'SVC_PERSPECTIVE_FAILED',
        streamId: streams[i],
        cause: { code: 'SVC_UNREADABLE_EVENT' },
      })),
    );
  });

  it('replaces the models if the operator accepts the failures, and reports how many streams are stopped', async () => {
    const { code, out } = await at('--accept-failures');
    expect(code).toBe(0);
    expect(out).toMatch(
      /Rebuilt Books: 3 streams, 3 events in \d+\.\d s\.\n2 streams are stopped, because Books failed at them: svc perspectives list shows the errors\.$/,
    );
    expect(await Promise.all(streams.map(titleOf))).toEqual([undefined, undefined, 'Book 2']);
    expect(await json()).toMatchObject({ code: 0, operation: { state: 'done', result: { stoppedStreams: 2 } } });
  });

  it.each([
    [['--mode', 'InPlace'], '2 streams are stopped'],
    [['--stream', streams[0]], '1 stream is stopped'],
  ])('reports the stopped streams of a rebuild with %j', async (options, sentence) => {
    const { code, out } = await at(...options);
    expect([code, out]).toEqual([0, expect.stringContaining(`${sentence}, because Books failed`)]);
  });

  it.each([
    ['--mode', 'InPlace'],
    ['--stream', streams[0]],
  ])('rejects --accept-failures with %s %s', async (...options) => {
    const { code, error } = await at('--accept-failures', ...options);
    expect([code, error]).toEqual([
      2,
      expect.stringContaining('--accept-failures can only be combined with --mode BlueGreen'),
    ]);
  });
});
