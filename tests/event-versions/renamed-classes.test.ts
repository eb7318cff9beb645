/** A service whose name and classes were changed: with `storedAs` it reads what it has stored before. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, newId, type Perspective, type Service, type ServiceRegistry, type Uuid } from '@svc/core';
import { collect } from '@svc/core/testing';
import { Generator, loadProject } from '@svc/generator';
import { sqlite } from '@svc/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { TemporaryProject } from '../generator/temporary-project.js';

/** The sources of the service. The classes have other names in each version. */
const sources = (
  names: { command: string; event: string; reminder: string },
  storedAs: (type: string) => string,
): string => `
import { perspective, storedAs, type Command, type Decider, type Event, type Perspective, type Receptor, type ReceptorContext, type Uuid } from '@svc/core';

${storedAs('shop.Send')}
export class ${names.command} implements Command {
  orderId!: Uuid;
}
${storedAs('shop.OrderSent')}
export class ${names.event} implements Event {
  orderId!: Uuid;
}
${storedAs('shop.Remind')}
export class ${names.reminder} implements Command {
  orderId!: Uuid;
}
export class Reminded implements Event {
  orderId!: Uuid;
}

export interface Sent {
  times: number;
}
@perspective({})
export class SentOrders implements Perspective<Sent, ${names.event}> {
  apply(model: Sent | null): Sent {
    return { times: (model?.times ?? 0) + 1 };
  }
}

export class Order implements Decider<boolean, ${names.event}> {
  initial(): boolean {
    return false;
  }
  evolve(): boolean {
    return true;
  }
}

export class SendReceptor implements Receptor<${names.command}> {
  async receive({ orderId }: ${names.command}, context: ReceptorContext): Promise<void> {
    const order = await context.load(Order, orderId);
    if (order.state) throw new Error('It is sent already.');
    order.append(Object.assign(new ${names.event}(), { orderId }));
    context.schedule(Object.assign(new ${names.reminder}(), { orderId }), { after: { seconds: 1 } });
  }
}
export class RemindReceptor implements Receptor<${names.reminder}> {
  receive({ orderId }: ${names.reminder}, context: ReceptorContext): void {
    context.append(orderId, Object.assign(new Reminded(), { orderId }));
  }
}
`;

interface Version {
  readonly registry: ServiceRegistry<object>;
  readonly classes: Readonly<Record<string, new () => object>> & {
    readonly SentOrders: new () => Perspective<object, never>;
  };
}

async function generate(name: string, text: string): Promise<Version> {
  const project = new TemporaryProject({ 'src/orders.ts': text }, 'renamed-');
  onTestFinished(() => project.remove());
  project.write('package.json', JSON.stringify({ name, type: 'module' }));
  const loaded = loadProject(project.directory);
  if ('code' in loaded) throw new Error(loaded.message);
  expect(new Generator(loaded).write().diagnostics).toEqual([]);
  const { registry } = (await import(join(project.directory, 'src/generated/registry.ts'))) as Version;
  const classes = (await import(join(project.directory, 'src/orders.ts'))) as Version['classes'];
  return { registry, classes };
}

const reported: unknown[] = [];
async function start({ registry }: Version, file: string): Promise<Service> {
  const service = createService(registry)
    .addService()
    .useStorage(sqlite({ file, pollMs: 50 }))
    .addServicePerspectives()
    .allowEverybody()
    .reportTo((error) => void reported.push(error));
  onTestFinished(() => service.stop());
  await service.start().ready();
  return service;
}

it('reads events, decides from them, rebuilds models, and runs scheduled commands that were stored under the earlier names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-renamed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'data.db');
  const before = await generate(
    'shop',
    sources({ command: 'Send', event: 'OrderSent', reminder: 'Remind' }, () => ''),
  );
  const after = await generate(
    'warehouse',
    sources({ command: 'Ship', event: 'OrderShipped', reminder: 'Nag' }, (type) => `@storedAs('${type}')`),
  );
  const orderId = newId();
  const send = async (service: Service, command: new () => object, id: Uuid): Promise<void> => {
    await service.dispatcher.invoke(Object.assign(new command(), { orderId: id }));
  };

  const first = await start(before, file);
  await send(first, before.classes['Send']!, orderId);
  await first.idle();
  await first.stop();

  const second = await start(after, file);
  await expect(send(second, after.classes['Ship']!, orderId)).rejects.toThrow('It is sent already.');
  const another = newId();
  await send(second, after.classes['Ship']!, another);
  await second.rebuildPerspective(after.classes.SentOrders);
  const sent = async (id: Uuid): Promise<unknown> => await second.lens(after.classes.SentOrders).find(id);
  expect([await sent(orderId), await sent(another)]).toEqual([{ times: 1 }, { times: 1 }]);
  const typesOf = async (id: Uuid): Promise<string[]> =>
    (await collect(second.eventStore.readStream(id))).map(({ envelope }) => envelope.type);
  await expect.poll(() => typesOf(orderId)).toEqual(['shop.OrderSent', 'warehouse.Reminded']);
  await expect.poll(() => typesOf(another)).toEqual(['shop.OrderSent', 'warehouse.Reminded']);
  const [event] = await collect(second.eventStore.readStream(orderId));
  expect(event!.envelope.payload).toBeInstanceOf(after.classes['OrderShipped']!);
  expect(reported).toEqual([]);
});
