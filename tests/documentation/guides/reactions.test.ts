/** The reaction of docs/guides/reactions.md is one that the generator accepts and that compiles. The tests of reactions run the rest. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatDiagnostic, Generator, loadProject } from '@svc/generator';
import { afterAll, expect, it } from 'vitest';
import { TemporaryProject } from '../../generator/temporary-project.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const guide = readFileSync(join(root, 'docs/guides/reactions.md'), 'utf8');
const [first = '', start = '', retry = ''] = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);

const events = `
import type { Decimal, Event, Uuid } from '@svc/core';
export class OrderPlaced implements Event { orderId!: Uuid; total!: Decimal }
export class OrderPaid implements Event { orderId!: Uuid; receipt!: string }
export class CardExpiredError extends Error {}
export interface Payments {
  charge(orderId: Uuid, total: Decimal, options: { idempotencyKey: string }): Promise<string>;
}
`;

const project = new TemporaryProject({}, 'reactions-guide-');
afterAll(() => project.remove());

it('shows a reaction that the generator accepts, and code that compiles', () => {
  project.write('src/events.ts', events);
  project.write('src/charge.ts', `import { OrderPaid, OrderPlaced, type Payments } from './events.js';\n${first}`);
  project.write(
    'src/options.ts',
    `import { reaction, type Reaction } from '@svc/core';
import { CardExpiredError, OrderPlaced } from './events.js';
${retry}export class Retrying implements Reaction<OrderPlaced> { react(): void {} }`,
  );
  const loaded = loadProject(project.directory);
  if ('code' in loaded) throw new Error(loaded.message);
  expect(new Generator(loaded).write().diagnostics.map(formatDiagnostic)).toEqual([]);
  const registry = readFileSync(`${project.directory}/src/generated/registry.ts`, 'utf8');
  expect(registry).toContain('create: (_host, services) => new ChargeOnPlaced(services.payments),');
  project.write(
    'src/main.ts',
    `import { createService, InMemoryStorage } from '@svc/core';
import type { Payments } from './events.js';
import { registry } from './generated/registry.js';
declare const payments: Payments;
const postgres = (_options: { url: string }): InMemoryStorage => new InMemoryStorage();
const url = '';
export ${start}`,
  );
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', project.directory, '--noEmit'], { encoding: 'utf8' });
  expect(stdout).toBe('');
});
