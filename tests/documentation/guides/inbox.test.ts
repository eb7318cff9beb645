/** The services of docs/guides/transports.md, each generated and built in a package of its own, and a command from one to the other. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { svc } from '../../command-line/svc.js';
import { TemporaryProject } from '../../generator/temporary-project.js';
import { Guide } from './guide.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const projects: TemporaryProject[] = [];
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

function block(text: string): string {
  return new Guide('transports.md').blocks.find((one) => one.language === 'ts' && one.text.includes(text))!.text;
}

function run(args: readonly string[], cwd = root): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  expect({ status, stderr, stdout }).toMatchObject({ status: 0 });
  return stdout;
}

function makeProject(name: string, files: Readonly<Record<string, string>>): TemporaryProject {
  const made = new TemporaryProject(files, 'inbox-');
  projects.push(made);
  const exported = { types: './dist/index.d.ts', default: './dist/index.js' };
  made.write('package.json', JSON.stringify({ name: `@shop/${name}`, type: 'module', exports: exported }));
  const compilerOptions = { rootDir: 'src', outDir: 'dist', declaration: true, composite: false };
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['src'] };
  made.write('tsconfig.json', JSON.stringify(config));
  return made;
}

async function build({ directory }: TemporaryProject): Promise<void> {
  expect(await svc(['generate', '--project', directory])).toMatchObject({ code: 0, error: '' });
  run([join(root, 'node_modules/typescript/bin/tsc'), '-p', directory]);
}

/** Runs a block of shell commands in a folder. */
function runCommands(text: string, directory: string): void {
  const { blocks } = new Guide('transports.md');
  const commands = blocks.find((one) => one.language === 'sh' && one.text.includes(text))!.text;
  const { status, stderr } = spawnSync('sh', ['-e', '-c', commands], { cwd: directory, encoding: 'utf8' });
  expect({ status, stderr }).toMatchObject({ status: 0 });
}

it('the hosts of the guide work: a command that orders sends is run by billing, and what each signs and accepts arrives', async () => {
  const billing = makeProject('billing', {
    'src/charge-card.ts': block('class ChargeCardReceptor'),
    'src/index.ts': `export * from './charge-card.js';\nexport { registry } from './generated/registry.js';\n`,
  });
  await build(billing);
  const orders = makeProject('orders', {
    'src/place-order.ts': block('class PlaceOrderReceptor'),
    'src/index.ts': block('startBilling'),
    'src/orders-host.ts': block('ordersHost'),
    'src/acceptance.ts': block('acceptForBilling'),
    'src/keys.ts': block('signBilling'),
    'src/service-bus.ts': new Guide('service-bus.md').blocks.find(({ language }) => language === 'ts')!.text,
    'signed.mjs': `
      import { createService, messageOf, newId } from '@svc/core';
      import { InProcessTransport } from '@svc/core/transport';
      import { registry as ofBilling } from '@shop/billing';
      import { acceptForBilling, acceptForTrial } from './dist/acceptance.js';
      import { registry as ofOrders } from './dist/generated/registry.js';
      import { signBilling, verifyBilling } from './dist/keys.js';
      import { PlaceOrder } from './dist/place-order.js';
      const transport = new InProcessTransport();
      const events = ({ messages }) => messages.filter(({ kind }) => kind === 'event');
      const both = (registry, other) => ({ ...registry, messages: [...registry.messages, ...events(other)] });
      const host = (name, registry) => createService(registry).useTransport(transport.host(name));
      const billing = signBilling(acceptForBilling(host('billing', both(ofBilling, ofOrders))), '.').start();
      const orders = verifyBilling(host('orders', both(ofOrders, ofBilling)), '.')
        .addCommandsOf(ofBilling)
        .acceptEvents({ from: 'billing', namespaces: ['billing'] })
        .start();
      const trial = acceptForTrial(host('trial', both(ofBilling, ofOrders))).start();
      const all = [orders, billing, trial];
      await Promise.all(all.map((service) => service.ready()));
      await orders.dispatcher.invoke(messageOf(PlaceOrder, { orderId: newId(), amount: '12.50' }));
      for (const service of all) {
        await service.idle();
        await transport.idle();
      }
      for (const service of [orders, billing, trial]) {
        const stored = [];
        for await (const { envelope } of service.eventStore.readAll()) stored.push([envelope.type, envelope.metadata.origin].join(' '));
        console.log(stored.sort().join(', '), (await service.deadLetters.list()).length);
      }
      await Promise.all(all.map((service) => service.stop()));
    `,
    'run.mjs': `
      import { messageOf, newId } from '@svc/core';
      import { InProcessTransport } from '@svc/core/transport';
      import { startBilling, startOrders } from './dist/index.js';
      import { PlaceOrder } from './dist/place-order.js';
      const transport = new InProcessTransport();
      const [orders, billing] = [startOrders(transport.host('orders')), startBilling(transport.host('billing'))];
      await Promise.all([orders.ready(), billing.ready()]);
      await orders.dispatcher.invoke(messageOf(PlaceOrder, { orderId: newId(), amount: '12.50' }));
      await orders.idle();
      await transport.idle();
      for await (const { envelope } of billing.eventStore.readAll()) console.log(envelope.type, envelope.payload.amount);
      await Promise.all([orders.stop(), billing.stop()]);
    `,
  });
  const link = join(orders.directory, 'node_modules/@shop/billing');
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(billing.directory, link);
  await build(orders);
  expect(run([join(orders.directory, 'run.mjs')])).toBe('billing.CardCharged 12.50\n');
  runCommands('openssl genpkey', orders.directory);
  expect(run(['signed.mjs'], orders.directory).split('\n')).toEqual([
    'billing.CardCharged billing, orders.OrderPlaced  0',
    'billing.CardCharged , orders.OrderPlaced orders 0',
    'orders.OrderPlaced orders 0',
    '',
  ]);
}, 60_000);
