/** The service of docs/guides/schedules.md, generated and built in a package of its own. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { svc } from '../../command-line/svc.js';
import { TemporaryProject } from '../../generator/temporary-project.js';
import { Guide } from './guide.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

function run(args: readonly string[], cwd = root): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  expect({ status, stderr, stdout }).toMatchObject({ status: 0 });
  return stdout;
}

it('cancels an order that is not paid, sends the receipt of another one, and runs the recurring command', async () => {
  const { files, blocks } = new Guide('schedules.md');
  const helper = blocks.find(({ language, text }) => language === 'ts' && text.includes('runScheduled'))!.text;
  const project = new TemporaryProject({ ...files, 'src/run-scheduled.ts': helper }, 'schedules-');
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
    import { runScheduled } from './dist/run-scheduled.js';
    const storage = new InMemoryStorage();
    const service = createService(registry).useStorage(storage).start();
    await service.ready();
    const [paid, unpaid] = [newId(), newId()];
    for (const orderId of [paid, unpaid]) await service.dispatcher.invoke(messageOf(PlaceOrder, { orderId }));
    await service.dispatcher.invoke(messageOf(PayOrder, { orderId: paid }));
    await service.idle();
    await runScheduled(service, storage);
    for (const id of [paid, unpaid]) {
      for await (const { envelope } of service.eventStore.readStream(id)) console.log(envelope.type);
    }
    for await (const { envelope } of service.eventStore.readAll()) if (envelope.type.includes('Carts')) console.log(envelope.type);
    await service.stop();
  `,
  );
  try {
    expect(await svc(['generate', '--project', project.directory])).toMatchObject({ code: 0, error: '' });
    run([join(root, 'node_modules/typescript/bin/tsc'), '-p', project.directory]);
    expect(run(['run.mjs'], project.directory).trim().split('\n')).toEqual([
      'shop.OrderPlaced',
      'shop.OrderPaid',
      'shop.ReceiptSent',
      'shop.OrderPlaced',
      'shop.OrderCancelled',
      'shop.ExpiredCartsRemoved',
    ]);
  } finally {
    project.remove();
  }
}, 60_000);
