/** The service of docs/guides/forget-a-customer.md: a customer is stored, exported and erased with the commands of the guide. */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { TemporaryProject } from '../../generator/temporary-project.js';
import { Guide } from './guide.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const svc = join(root, 'packages/cli/bin/svc.js');

it('forgets a customer', async () => {
  const { files, blocks } = new Guide('forget-a-customer.md');
  const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text.trim());
  const [makeKey = '', exporting = '', erasing = ''] = commands.filter((text) =>
    /key-vault|svc (?:subject|erase)/.test(text),
  );
  const project = new TemporaryProject(files, 'forget-');
  const shell = (command: string): string => {
    const text = command.replace('npx svc', `${process.execPath} ${svc}`);
    const { stdout, stderr, status } = spawnSync('sh', ['-c', text], { cwd: project.directory, encoding: 'utf8' });
    expect({ status, stderr, stdout }).toMatchObject({ status: 0 });
    return stdout;
  };
  project.write('package.json', JSON.stringify({ name: 'shop', type: 'module' }));
  const compilerOptions = { rootDir: 'src', outDir: 'dist', composite: false };
  project.write(
    'tsconfig.json',
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['src'] }),
  );
  project.write(
    'run.mjs',
    `
    import { messageOf, runAsHost } from '@svc/core';
    import { CustomerPerspective, RegisterCustomer } from './dist/customers.js';
    import { service } from './dist/main.js';
    await service.ready();
    const customerId = '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d';
    await service.dispatcher.invoke(messageOf(RegisterCustomer, { customerId, name: 'Ada' }));
    await service.idle();
    const show = async () => console.log(JSON.stringify(await runAsHost(() => service.lens(CustomerPerspective).find(customerId))));
    await show();
    process.stdin.once('data', async () => {
      await show();
      await service.stop();
      process.exit(0);
    });
  `,
  );
  try {
    shell(makeKey);
    shell('npx svc generate');
    shell(`${process.execPath} ${join(root, 'node_modules/typescript/bin/tsc')} -p .`);
    const host = spawn(process.execPath, ['run.mjs'], { cwd: project.directory });
    let printed = '';
    host.stdout.on('data', (data: Buffer) => void (printed += data.toString()));
    host.stderr.on('data', (data: Buffer) => void (printed += data.toString()));
    try {
      await expect.poll(() => printed, { timeout: 20_000 }).toContain('"name":"Ada"');
      expect(JSON.parse(shell(exporting))).toMatchObject({ events: [{ body: { name: 'Ada' } }, {}] });
      expect(shell(erasing)).toContain(
        'personal data in 1 event is now null, and the models of CustomerPerspective were rebuilt.',
      );
      host.stdin.write('\n');
      await expect.poll(() => printed, { timeout: 20_000 }).toContain('"name":null');
    } finally {
      host.kill();
    }
  } finally {
    project.remove();
  }
}, 120_000);
