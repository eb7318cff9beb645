/** Makes the service of docs/guides/own-service.md, with what other guides add to it, and holds it to what they say. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CommandAudited,
  CommandRejectedError,
  ConcurrencyConflictError,
  createService,
  EventAudited,
  InMemoryStorage,
  messageOf,
  newId,
  SystemEventStream,
  type Command,
  type HealthCheck,
  type MessageClass,
  type PipelineBehavior,
  type Service,
  type ServiceRegistry,
  type SystemEventEmitter,
  type Uuid,
} from '@svc/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { publishedPackages } from '../../../tools/release/packages.mjs';
import { TemporaryProject } from '../../generator/temporary-project.js';
import { Guide, Running, runInShell } from './guide.js';

type OfBook = Command & { bookId: Uuid };

interface Library {
  registry: ServiceRegistry<object>;
  LendBook: MessageClass<OfBook & { member: string }>;
  ReturnBook: MessageClass<OfBook>;
  ReportLoss: MessageClass<OfBook>;
  ReserveRoom: MessageClass<Command & { room: string; day: string; hour: number }>;
  StockTaking: new () => PipelineBehavior & { isOn: boolean };
  addAudit: (service: Service, print: (line: string) => void) => Service;
  copyAudit: (service: Service, archive: (type: string, body: unknown) => void) => Service;
  emitAnything: (emitter: SystemEventEmitter) => Promise<PromiseSettledResult<void>[]>;
  catalogueCheck: (loadedAt: () => Date) => HealthCheck;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const guide = new Guide('own-service.md');
const project = new TemporaryProject({}, 'library-');
const services: Service[] = [];
let library: Library;

beforeAll(async () => {
  const pages = [
    guide,
    ...['endpoints.md', 'deciders.md', 'audit.md', 'health.md', 'testing.md'].map((name) => new Guide(name)),
  ];
  for (const { files } of pages) for (const [path, text] of Object.entries(files)) project.write(path, text);
  project.write('src/emitting.ts', emitting);
  const [commands = ''] = blocksWith('npm run build');
  runInShell(commands.replace(/^npm start$/m, ''), project.directory);
  const sources = [
    'books/lend-book',
    'books/return-book',
    'books/report-loss',
    'rooms/reserve-room',
    'stock-taking',
    'audit',
    'audit-copy',
    'catalogue-check',
    'emitting',
  ];
  // One after another: a module that is imported twice at once can be loaded twice, with two classes of each name.
  const modules: object[] = [];
  for (const path of ['generated/registry', ...sources]) {
    modules.push((await import(join(project.directory, `src/${path}.ts`))) as object);
  }
  library = Object.assign({}, ...modules) as Library;
}, 120_000);
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
});
afterAll(() => project.remove());

/** Does not build unless the compiler rejects what is marked. */
const emitting = `
import type { SystemEvent, SystemEventEmitter } from '@svc/core';
import { BookLent, LendBook } from './books/lend-book.js';

export class ShelfMoved implements SystemEvent {}

export function emitAnything(emitter: SystemEventEmitter): Promise<PromiseSettledResult<void>[]> {
  return Promise.allSettled([
    emitter.emit(new ShelfMoved()),
    // @ts-expect-error -- a domain event
    emitter.emit(new BookLent('Ann')),
    // @ts-expect-error -- a command
    emitter.emit(new LendBook()),
  ]);
}
`;

function blocksWith(text: string): string[] {
  return guide.blocks
    .filter((block) => block.language === 'sh' && block.text.includes(text))
    .map((block) => block.text);
}

function start(add: (service: Service) => Service = (service) => service): Service {
  const service = add(createService(library.registry).useStorage(new InMemoryStorage())).start();
  services.push(service);
  return service;
}

describe('docs/guides/own-service.md', () => {
  it('installs everything that its code and its scripts require, and the packages that the service must have once', () => {
    const named = blocksWith('npm install').join('\n').split(/\s+/);
    const sources = Object.values(guide.files).join('\n');
    const imported = [...sources.matchAll(/from '(@[^/']+\/[^/']+|[^.@/'][^/']*)/g)].map(([, name = '']) => name);
    const own = publishedPackages(root).filter(({ manifest }) => named.includes(manifest.name));
    const peers = own.flatMap(({ manifest }) => Object.keys(manifest.peerDependencies ?? {}));
    expect([...imported, ...peers].filter((name) => !named.includes(name))).toEqual([]);
    expect(own.some(({ manifest }) => manifest.bin !== undefined && 'svc' in manifest.bin)).toBe(true);
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    expect(named).toContain(`typescript@${devDependencies['typescript']}`);
  });

  it('builds a service that starts, answers as shown, and stops on SIGTERM', async () => {
    const { scripts } = JSON.parse(project.read('package.json')) as { scripts: { start: string } };
    const service = await Running.start(scripts.start.split(' ').slice(1), project.directory);
    const steps = guide.steps.filter(({ answer }) => answer !== null);
    const printed = service.run(steps, project.directory);
    const code = await service.end();
    expect(steps).toHaveLength(2);
    expect(printed).toEqual(steps.map(({ answer }) => answer));
    expect(code).toBe(0);
  });

  it('names types by the namespace of package.json', () => {
    const types = library.registry.messages.map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['library.LendBook', 'library.BookLent']));
  });
});

const ownBook = newId();
const lend = () => messageOf(library.LendBook, { bookId: ownBook, member: 'Ann' });
const giveBack = () => messageOf(library.ReturnBook, { bookId: ownBook });

describe('docs/guides/deciders.md', () => {
  it('has a receptor that decides by previous events', async () => {
    const { dispatcher } = start();
    await expect(dispatcher.invoke(giveBack())).rejects.toThrow('This book is not lent.');
    await dispatcher.invoke(lend());
    await dispatcher.invoke(giveBack());
    await expect(dispatcher.invoke(giveBack())).rejects.toThrow(CommandRejectedError);
  });

  it.each([
    [0, ConcurrencyConflictError],
    [5, CommandRejectedError],
  ])('with %i retries, a decision that is based on outdated events ends in %o', async (conflictRetries, error) => {
    let isFirst = true;
    const service: Service = start((made) =>
      made.conflictRetries(conflictRetries).addBehavior({
        // Another command returns the book between the decision and its commit.
        async handle({ envelope }, next) {
          await next();
          if (envelope.payload instanceof library.ReturnBook && isFirst) {
            isFirst = false;
            await service.dispatcher.invoke(giveBack());
          }
        },
      }),
    );
    await service.dispatcher.invoke(lend());
    await expect(service.dispatcher.invoke(giveBack())).rejects.toThrow(error);
    expect(await service.eventStore.lastPosition(ownBook)).toBe(1);
  });

  it('has a rule across streams: a room is reserved once for each hour', async () => {
    const { dispatcher } = start();
    const reserve = (hour: number, room = 'Attic') =>
      dispatcher.invoke(messageOf(library.ReserveRoom, { room, day: '2027-01-31', hour }));
    const results = await Promise.allSettled([reserve(9), reserve(9), reserve(10), reserve(9, 'Cellar')]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    await expect(reserve(9)).rejects.toThrow('The room is taken at this hour.');
  });

  it('has tests that pass', () => {
    const { stdout, status } = spawnSync(process.execPath, ['--test', 'dist/books/return-book.test.js'], {
      cwd: project.directory,
      encoding: 'utf8',
      // The runner of this test must not collect the results of that one.
      env: { PATH: process.env['PATH'] },
    });
    expect([stdout.match(/^(?:ℹ|#) pass \d+$/m)?.[0].slice(2), status]).toEqual(['pass 2', 0]);
  });
});

describe('docs/guides/testing.md', () => {
  it('has tests of the whole service that pass', () => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const { stdout, stderr, status } = spawnSync(process.execPath, [vitest, 'run', 'src/lend-book.test.ts'], {
      cwd: project.directory,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], NO_COLOR: '1' },
    });
    expect([stdout + stderr, status]).toEqual([expect.stringMatching(/Tests +2 passed/), 0]);
  });
});

describe('docs/guides/endpoints.md', () => {
  it('has a behavior that stops every command', async () => {
    const stockTaking = new library.StockTaking();
    const { dispatcher } = start((service) => service.addBehavior(stockTaking));
    stockTaking.isOn = true;
    await expect(dispatcher.invoke(lend())).rejects.toThrow('No library.LendBook today: the library takes stock.');
    stockTaking.isOn = false;
    expect(await dispatcher.invoke(lend())).toEqual({ member: 'Ann' });
  });
});

describe('docs/guides/audit.md', () => {
  it('EmitAsync is constrained to the system-event marker, for the compiler and at run time', async () => {
    const service = start((made) => made.addSystemEvents());
    const settled = await library.emitAnything(service.emitter);
    const code = 'SVC_NOT_A_SYSTEM_EVENT';
    expect(settled).toMatchObject([{ status: 'fulfilled' }, { reason: { code } }, { reason: { code } }]);
    await service.idle();
    const types: string[] = [];
    for await (const { envelope } of service.eventStore.readAll()) types.push(envelope.type);
    expect(types).toEqual(['library.ShelfMoved']);
  });

  it('audits only marked messages, and calls its hook for them', async () => {
    const lines: string[] = [];
    const service = start((made) => library.addAudit(made, (line) => lines.push(line)));
    const bookId = newId();
    await service.dispatcher.invoke(messageOf(library.LendBook, { bookId, member: 'Ann' }));
    await service.dispatcher.invoke(messageOf(library.ReportLoss, { bookId }));
    await service.idle();
    const audited: string[] = [];
    for await (const { envelope } of service.eventStore.readStream(SystemEventStream.streamId)) {
      if (envelope.payload instanceof EventAudited) audited.push(envelope.payload.originalEventType);
      if (envelope.payload instanceof CommandAudited) audited.push(envelope.payload.commandType);
    }
    expect(audited).toEqual(['library.BookLost']);
    expect(lines).toEqual(['library.BookLost: Losses are paid for.']);
  });

  it('copies audit records with their bodies', async () => {
    const copied: unknown[] = [];
    const service = start((made) =>
      library.copyAudit(made.addSystemEventAuditing(), (type, body) => copied.push([type, body])),
    );
    const bookId = newId();
    await service.dispatcher.invoke(messageOf(library.LendBook, { bookId, member: 'Ann' }));
    await service.idle();
    expect(copied).toEqual([
      ['library.BookLent', { member: 'Ann' }],
      ['library.LendBook', { bookId, member: 'Ann' }],
    ]);
  });
});

describe('docs/guides/health.md', () => {
  it('has a check that reports an old catalogue', async () => {
    let loadedAt = new Date();
    const check = { ...library.catalogueCheck(() => loadedAt), cacheMs: 0 };
    const { health } = start((service) => service.addHealthCheck(check));
    expect((await health.run()).status).toBe('Healthy');
    loadedAt = new Date(Date.now() - 30 * 3_600_000);
    const { entries } = await health.run(({ name }) => name === 'catalogue');
    expect(entries[0]).toMatchObject({ status: 'Degraded', tags: ['data'], data: { hours: 30 } });
  });

  it('lists every check', () => {
    const page = readFileSync(join(root, 'docs/guides/health.md'), 'utf8');
    const listed = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name!);
    const files = ['core/src/health', 'rabbitmq/src', 'servicebus/src'].map((folder) => join(root, 'packages', folder));
    const found = runInShell(
      `grep -rhoE "name: '[a-z_]+'" ${files.join(' ')} --include=*.ts --exclude=*.test.ts`,
      root,
    );
    const names = new Set([...found.matchAll(/'(\w+)'/g)].map(([, name]) => name!));
    expect(listed.toSorted()).toEqual([...names].toSorted());
  });
});
