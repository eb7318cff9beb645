/** Errors that quote personal data: nothing that svc stores or reports about them contains the data. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import {
  CommandRejectedError,
  newId,
  PerspectiveFailed,
  process as processReaction,
  ReactionFailed,
  ReceptorFailed,
  tagged,
  type Event,
  type MessageClass,
  type Process,
  type ProcessContext,
  type ReactionContext,
  type Service,
  type Uuid,
} from '@svc/core';
import { sqlite, type SqliteStorage } from '@svc/sqlite';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { records } from '../system-events/shop.js';
import { Customers } from './customers.js';

type Method = (...values: never[]) => unknown;
type Patched = { readonly prototype: Record<string, Method> };

let customers: Customers;
beforeAll(async () => void (customers = await Customers.generate()));
afterAll(() => customers.remove());

let folder: string;
let storage: SqliteStorage;
let mark: string;
let reported: unknown[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-error-texts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  storage = sqlite({ file: join(folder, 'data.db') });
  mark = randomBytes(8).toString('hex');
  reported = [];
});

async function start(configure: (service: Service) => unknown = () => {}): Promise<Service> {
  const host = await customers.start(storage, (service) => {
    service.reportTo((error) => reported.push(error));
    configure(service);
  });
  onTestFinished(() => host.stop());
  return host;
}

/** Replaces a method of a class of the service for the rest of the test. */
function replace(name: string, method: string, by: Method): void {
  const { prototype } = (customers.classes as unknown as Record<string, Patched>)[name]!;
  const spied = vi.spyOn(prototype, method).mockImplementation(by);
  onTestFinished(() => spied.mockRestore());
}

const classOf = (name: string): MessageClass<Event> =>
  (customers.classes as unknown as Record<string, MessageClass<Event>>)[name]!;

const register = (host: Service, customerId: Uuid): Promise<unknown> =>
  host.dispatcher.invoke(
    Object.assign(new customers.classes.Register(), {
      customerId,
      name: `Ann ${mark}`,
      address: { street: `Street ${mark}`, city: `City ${mark}` },
    }),
  );

const rename = (host: Service, customerId: Uuid): Promise<unknown> =>
  host.dispatcher.invoke(Object.assign(new customers.classes.Rename(), { customerId, name: `Anne ${mark}` }));

/** Neither the files of the database nor what was reported have the mark. */
async function expectNoMark(host: Service): Promise<void> {
  await host.idle();
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  expect(files.some((file) => file.includes('svc-personal:1:'))).toBe(true);
  expect(files.filter((file) => file.includes(mark))).toEqual([]);
  expect(inspect(reported, { depth: 10, showHidden: true })).not.toContain(mark);
}

it('a perspective that quotes its event', async () => {
  replace('Customers', 'apply', (_model, { name, address }: { name: string; address: { city: string } }) => {
    throw new Error(`Cannot print a label for ${name} in ${address.city}`, { cause: new Error(name) });
  });
  const host = await start();
  const ann = newId();
  await register(host, ann);
  await host.idle();
  const message = 'Cannot print a label for [secret] in [secret]';
  expect(await records(host, PerspectiveFailed)).toMatchObject([{ errorMessage: message }]);
  expect(await storage.perspectives.readStopped('Customers')).toMatchObject([{ streamId: ann, errorMessage: message }]);
  await expectNoMark(host);
});

it('a perspective that quotes its model, in the worker and in a rebuild', async () => {
  const apply = (customers.classes.Customers as unknown as Patched).prototype['apply']!;
  replace('Customers', 'apply', (model: { city: string } | null, event: object, ...more) => {
    if (event.constructor.name === 'CustomerRenamed') {
      const { city } = model!;
      model!.city = 'unknown';
      throw new Error(`No label for ${city}`);
    }
    return apply.call({}, model as never, event as never, ...more);
  });
  const host = await start();
  const ann = newId();
  await register(host, ann);
  await host.idle();
  await rename(host, ann);
  await host.idle();
  const perspective = customers.classes.Customers;
  await host.rebuildPerspective(perspective);
  await host.rebuildPerspective(perspective, { streams: [ann] });
  const failed = await records(host, PerspectiveFailed);
  expect(failed.map(({ errorMessage }) => errorMessage)).toEqual(Array(3).fill('No label for [secret]'));
  await expectNoMark(host);
});

it('a reaction that quotes its event, and one that quotes what it has read', async () => {
  const host = await start((service) =>
    service
      .addReaction({
        name: 'mailer',
        events: [classOf('CustomerRegistered')],
        retry: { attempts: 2, firstDelayMs: 1 },
        create: () => ({
          react(event) {
            const { name } = event as { name?: string };
            // What was in the event counts.
            delete (event as { name?: string }).name;
            throw new Error(`Mailbox of ${name} is full`);
          },
        }),
      })
      .addReaction({
        name: 'reader',
        events: [classOf('CustomerRenamed')],
        retry: { attempts: 1 },
        create: () => ({
          async react(_event: Event, context: ReactionContext) {
            const texts: string[] = [];
            for await (const { envelope } of context.readStream(context.envelope.streamId!)) {
              texts.push((envelope.payload as unknown as { name: string }).name);
            }
            throw new Error(`Was ${texts.join(', then ')}`);
          },
        }),
      }),
  );
  const ann = newId();
  await register(host, ann);
  await rename(host, ann);
  await expect
    .poll(async () => (await records(host, ReactionFailed)).map(({ errorMessage }) => errorMessage).toSorted())
    .toEqual(['Mailbox of [secret] is full', 'Was [secret], then [secret]']);
  await expectNoMark(host);
});

it('a process that quotes its state, which it has computed from earlier events', async () => {
  class Greeting implements Process<string[], Event> {
    initial(): string[] {
      return [];
    }
    keyOf(event: Event): string {
      return (event as { customerId: Uuid }).customerId;
    }
    evolve(names: string[], event: Event): string[] {
      return [...names, (event as { name: string }).name];
    }
    react(_event: Event, { state }: ProcessContext<string[]>): void {
      if (state.length > 1) throw new Error(`Already greeted ${state.join(', now ')}`);
    }
  }
  processReaction({ from: 'now', retry: { attempts: 1 } })(Greeting);
  const { registry } = customers;
  const events = [classOf('CustomerRegistered'), classOf('CustomerRenamed')];
  customers.registry = {
    ...registry,
    processes: [{ name: 'Greeting', class: Greeting, events, create: () => new Greeting() }],
  };
  onTestFinished(() => void (customers.registry = registry));
  const host = await start((service) => service.addServiceReactions());
  const ann = newId();
  await register(host, ann);
  await host.idle();
  await rename(host, ann);
  await expect
    .poll(async () => (await records(host, ReactionFailed)).map(({ errorMessage }) => errorMessage))
    .toEqual(['Already greeted [secret], now [secret]']);
  await expectNoMark(host);
});

it('a tag hook that quotes the event that it has received', async () => {
  tagged('customers')(classOf('CustomerRegistered'));
  const host = await start((service) =>
    service.addTagHook('customers', ({ fields }) => {
      throw new Error(`Cannot notify ${String(fields['name'])}`);
    }),
  );
  await register(host, newId());
  await host.idle();
  expect(reported).toEqual([expect.objectContaining({ message: 'Cannot notify [secret]' })]);
  await expectNoMark(host);
});

it('a receptor that quotes a state, computed from events and from a snapshot', async () => {
  replace('RenameReceptor', 'receive', async (command: { customerId: Uuid }, context: ReactionContext) => {
    const { state } = await context.load(classOf('CustomerDecider') as never, command.customerId);
    throw new Error(`${(state as { name: string }).name} must not be renamed`);
  });
  const host = await start();
  const ann = newId();
  await register(host, ann);
  await host.idle();
  for (let i = 0; i < 2; i++) await expect(rename(host, ann)).rejects.toThrow('[secret] must not be renamed');
  await host.idle();
  const failed = await records(host, ReceptorFailed);
  expect(failed.map(({ errorMessage }) => errorMessage)).toEqual(Array(2).fill('[secret] must not be renamed'));
  await expectNoMark(host);
});

it('a scheduled command that is rejected because of a state, and becomes a dead letter', async () => {
  replace('RenameReceptor', 'receive', async (command: { customerId: Uuid }, context: ReactionContext) => {
    const { state } = await context.load(classOf('CustomerDecider') as never, command.customerId);
    throw new CommandRejectedError(`${(state as { name: string }).name} must not be renamed`);
  });
  const host = await start((service) =>
    service.addReaction({
      name: 'renamer',
      events: [classOf('CustomerRegistered')],
      create: () => ({
        react(event, context) {
          const { customerId } = event as unknown as { customerId: Uuid };
          context.send(Object.assign(new customers.classes.Rename(), { customerId, name: `Anne ${mark}` }));
        },
      }),
    }),
  );
  await register(host, newId());
  await expect
    .poll(async () => (await host.deadLetters.list()).map(({ errorMessage }) => errorMessage))
    .toEqual(['[secret] must not be renamed']);
  await expectNoMark(host);
});
