import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { newId } from '../messages/index.js';
import { InMemoryStorage } from '../storage/index.js';
import { EventDigester, eventsPerTurn } from './event-digester.js';
import { Frontier } from './merkle-tree.js';
import { readLog } from './sealed-log.js';
import { DigestingWorker } from './thread/digesting-worker.js';

/** A module for a thread. */
function moduleOf(text: string): URL {
  const folder = mkdtempSync(`${tmpdir()}/svc-thread-`);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = `${folder}/thread.mjs`;
  writeFileSync(file, `import { parentPort as port, workerData } from 'node:worker_threads';\n${text}`);
  return pathToFileURL(file);
}

/** Answers requests with the message `answer`, until it is asked to close. */
const answering = (answer: string): string =>
  `port.on('message', (request) => (request.kind === 'close' ? port.close() : port.postMessage(${answer})));`;

const digested = answering(`{ kind: 'digested', events: { size: request.size + workerData.events, request } }`);

function startedWorker(text: string, options: object = {}): DigestingWorker {
  const worker = DigestingWorker.start(moduleOf(text), options)!;
  onTestFinished(() => worker.close());
  return worker;
}

const after = { sequence: 7, size: 0, frontier: new Uint8Array() };

/** A log with some events, and a digester that starts threads with the module `text`. */
function digesterOf(count: number, text: string | null) {
  const storage = new InMemoryStorage();
  const happened = Array.from({ length: count }, () => {
    const id = newId();
    const rest = { causationId: null, scope: null, metadata: {}, expectedPosition: undefined };
    return { id, streamId: id, correlationId: id, type: 'test.Happened', body: '{}', timestamp: Date.now(), ...rest };
  });
  storage.commit({ events: happened, outgoing: [], delivered: null, received: [] });
  const reports: unknown[] = [];
  let [threads, now] = [0, 0];
  const digester = new EventDigester(
    {
      seals: {
        startThread: () => {
          threads++;
          return Promise.resolve(text === null ? null : DigestingWorker.start(moduleOf(text), { events: 1 }));
        },
      },
      readLog: (sequence) => readLog(storage, sequence, eventsPerTurn),
      report: (error) => void reports.push(error),
    },
    () => now,
  );
  onTestFinished(() => digester.close());
  return {
    next: async () => await digester.next(-1, new Frontier()),
    close: () => digester.close(),
    pass: (ms: number) => void (now += ms),
    threads: () => threads,
    reports,
  };
}

it('lets a thread digest events as soon as there are more than fit into a turn', async () => {
  const few = digesterOf(eventsPerTurn, digested);
  for (let i = 0; i < 2; i++) expect(await few.next()).toMatchObject({ size: eventsPerTurn });
  expect(few.threads()).toBe(0);

  const many = digesterOf(eventsPerTurn + 1, digested);
  expect(await many.next(), 'here').toMatchObject({ size: eventsPerTurn + 1 });
  expect(await many.next(), 'in the thread').toMatchObject({ size: 1, request: { kind: 'digest', sequence: -1 } });
  await many.close();
  expect(await many.next(), 'here again').toMatchObject({ size: eventsPerTurn + 1 });
  expect(many.threads()).toBe(2);
});

it.each([
  ['fails', answering(`{ kind: 'failed', error: new Error('no database') }`), 'no database'],
  ['throws', `port.on('message', () => { throw new Error('broken'); });`, 'broken'],
  ['ends', `port.on('message', () => process.exit());`, 'The thread has ended.'],
  ['cannot be loaded', `import 'no-such-module';`, expect.stringContaining('no-such-module') as string],
])('digests events here if the thread %s, and starts another one a minute later', async (_what, text, message) => {
  const { next, pass, threads, reports } = digesterOf(eventsPerTurn + 1, text);
  await next();
  expect(await next()).toMatchObject({ size: eventsPerTurn + 1 });
  expect(reports).toEqual([expect.objectContaining({ message })]);
  pass(59_999);
  await next();
  expect(threads()).toBe(1);
  pass(1);
  await next();
  expect(threads()).toBe(2);
});

it('asks only once for a thread if there can be none', async () => {
  const { next, pass, threads } = digesterOf(eventsPerTurn + 1, null);
  await next();
  pass(1e9);
  await next();
  expect(threads()).toBe(1);
});

it('answers requests in their order, each with its own bytes', async () => {
  const worker = startedWorker(digested, { events: 5 });
  const memory = new Uint8Array(64).fill(9);
  const answers = await Promise.all(
    [1, 2].map((size) => worker.digest({ ...after, size, frontier: memory.subarray(0, size) })),
  );
  expect(answers).toMatchObject([{ size: 6 }, { size: 7 }]);
  const [{ request }] = answers as unknown as [{ request: { frontier: Uint8Array } }];
  expect(request.frontier.buffer.byteLength, 'not the memory around it').toBe(1);
});

it('rejects every request of a thread that has ended', async () => {
  const worker = startedWorker(`port.on('message', () => process.exit());`);
  await expect(Promise.all([worker.digest(after), worker.digest(after)])).rejects.toThrow('The thread has ended.');
  await expect(worker.digest(after)).rejects.toThrow('The thread has ended.');
  await worker.close();
});

it('cannot start without its module, or with options that cannot be passed to a thread', () => {
  const module = moduleOf(digested);
  expect(DigestingWorker.start(new URL('./missing.mjs', module), {})).toBeNull();
  expect(DigestingWorker.start(module, { check: () => {} })).toBeNull();
});
