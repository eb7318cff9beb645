/** The service of docs/guides/processes.md, generated and built in a package of its own. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatDiagnostic, Generator, loadProject } from '@svc/generator';
import { expect, it } from 'vitest';
import { TemporaryProject } from '../../generator/temporary-project.js';
import { Guide } from './guide.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

function run(args: readonly string[], cwd = root): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  expect({ status, stderr, stdout }).toMatchObject({ status: 0 });
  return stdout;
}

it('ships an order that is paid, and cancels one that is not', () => {
  const { files } = new Guide('processes.md');
  const project = new TemporaryProject(files, 'processes-');
  project.write('package.json', JSON.stringify({ name: 'shop', type: 'module' }));
  const compilerOptions = { rootDir: 'src', outDir: 'dist', composite: false };
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['src'] };
  project.write('tsconfig.json', JSON.stringify(config));
  project.write(
    'run.mjs',
    `
    import { createService, InMemoryStorage, messageOf, newId } from '@svc/core';
    import { registry } from './dist/generated/registry.js';
    import { PayOrder, PlaceOrder } from './dist/orders.js';
    const storage = new InMemoryStorage();
    const service = createService(registry).useStorage(storage).addServiceReactions().start();
    await service.ready();
    const [paid, unpaid] = [newId(), newId()];
    for (const orderId of [paid, unpaid]) await service.dispatcher.invoke(messageOf(PlaceOrder, { orderId }));
    await service.idle();
    await service.dispatcher.invoke(messageOf(PayOrder, { orderId: paid }));
    await service.idle();
    for (const { message } of await storage.schedule.read(10)) await storage.schedule.makeDue(message.id);
    await service.idle();
    for (const id of [paid, unpaid]) {
      for await (const { envelope } of service.eventStore.readStream(id)) console.log(envelope.type);
    }
    for await (const { envelope } of service.eventStore.readAll()) {
      if (envelope.type === 'svc.ProcessCompleted') console.log(envelope.type);
    }
    await service.stop();
  `,
  );
  try {
    const loaded = loadProject(project.directory);
    if ('code' in loaded) throw new Error(loaded.message);
    expect(new Generator(loaded).write().diagnostics.map(formatDiagnostic)).toEqual([]);
    run([join(root, 'node_modules/typescript/bin/tsc'), '-p', project.directory]);
    expect(run(['run.mjs'], project.directory).trim().split('\n')).toEqual([
      'shop.OrderPlaced',
      'shop.OrderPaid',
      'shop.OrderShipped',
      'shop.OrderPlaced',
      'shop.OrderCancelled',
      'svc.ProcessCompleted',
      'svc.ProcessCompleted',
    ]);
  } finally {
    project.remove();
  }
}, 60_000);
