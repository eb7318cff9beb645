/** The perspective of docs/guides/perspectives.md is one that the generator takes. What else it says, the tests beside this one do. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatDiagnostic, Generator, loadProject } from '@svc/generator';
import { afterAll, expect, it } from 'vitest';
import { TemporaryProject } from '../../generator/temporary-project.js';

const guide = readFileSync(fileURLToPath(new URL('../../../docs/guides/perspectives.md', import.meta.url)), 'utf8');
const [first = ''] = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);

const events = `
import type { Event, Uuid } from '@svc/core';
export interface OrderSummary { orderId: Uuid; status: 'open' | 'paid'; changedAt: Date }
export class OrderPlaced implements Event { orderId!: Uuid }
export class OrderPaid implements Event { orderId!: Uuid; amount!: string }
`;

const project = new TemporaryProject({}, 'perspectives-guide-');
afterAll(() => project.remove());

it('generates for the perspective of the guide', () => {
  project.write('src/events.ts', events);
  project.write('src/summary.ts', `import { OrderPaid, OrderPlaced, type OrderSummary } from './events.js';\n${first}`);
  const loaded = loadProject(project.directory);
  if ('code' in loaded) throw new Error(loaded.message);
  expect(new Generator(loaded).write().diagnostics.map(formatDiagnostic)).toEqual([]);
  const registry = readFileSync(`${project.directory}/src/generated/registry.ts`, 'utf8');
  expect(registry).toContain('events: [OrderPaid, OrderPlaced],');
});
