/** `svc processes`: the instances and their history. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@svc/cli';
import { newId, type Service } from '@svc/core';
import { sqlite } from '@svc/sqlite';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { OrderPinged, PingOrder } from '../system-events/shop.js';
import { pay, place, processOf, started, textOf } from './process-shop.js';

let file: string;
let service: Service;
const target = newId();

async function svc(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const [{ out, error }, terminal] = collected();
  const code = await run(['processes', ...args, '--database', file], terminal);
  return { code, out: out.join('\n'), error: error.join('\n') };
}

/** A terminal, and the lines that were printed to it. */
function collected() {
  const lines = { out: [] as string[], error: [] as string[] };
  const terminal = {
    out: (line: string) => void lines.out.push(line),
    error: (line: string) => void lines.error.push(line),
  };
  return [lines, terminal] as const;
}

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-processes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  file = join(folder, 'data.db');
  const checkout = processOf({ name: 'Checkout' }, async (event, context) => {
    if (textOf(event).startsWith('paid')) {
      context.cancelTimeout('payment');
      await context.invoke(Object.assign(new PingOrder(), { orderId: target }));
      return context.complete();
    }
    context.append(target, new OrderPinged());
    context.send(new PingOrder());
    context.schedule(new PingOrder(), { at: new Date('2030-01-02T03:04:05Z') });
    return context.timeout('payment', new PingOrder(), { after: { minutes: 30 } });
  });
  service = await started([checkout], sqlite({ file }), { isolatesTenants: true });
});

describe('svc processes', () => {
  it('lists instances in the order of their start, all or the open ones, page by page', async () => {
    for (const note of ['a', 'b\u001b[31m', 'c']) {
      await place(service, note, { tenantId: 'acme' });
      await service.idle();
    }
    await pay(service, 'a', { tenantId: 'acme' });
    await service.idle();
    await pay(service, 'a:late', { tenantId: 'acme' });
    await service.idle();
    const { code, out } = await svc('list');
    expect(code).toBe(0);
    const [heading, first, second, third] = out.split('\n');
    expect(heading).toMatch(/^process +key +tenant +state +events +ignored +started +last event$/);
    expect(first).toMatch(/^Checkout +a +acme +completed +2 +1 +\S+Z +\S+Z$/);
    expect(second).toMatch(/^Checkout +b\\u001b\[31m +acme +open +1 +0 /);
    expect(third).toMatch(/^Checkout +c +acme +open /);
    const page = JSON.parse((await svc('list', '--open', '--limit', '1', '--json')).out) as Page;
    expect(page.instances.map(({ key }) => key)).toEqual(['b\u001b[31m']);
    const next = JSON.parse((await svc('list', '--open', '--after', page.next!, '--json')).out) as Page;
    expect(next.instances.map(({ key }) => key)).toEqual(['c']);
    expect(next.next).toBeNull();
  });

  it('shows the events of an instance with their causes, and what the process did', async () => {
    const placed = await place(service, 'a', { tenantId: 'acme' });
    await service.idle();
    const paid = await pay(service, 'a', { tenantId: 'acme' });
    await service.idle();
    const late = await pay(service, 'a:late', { tenantId: 'acme' });
    await service.idle();
    const { code, out } = await svc('show', 'Checkout', 'a', '--tenant', 'acme');
    expect(code).toBe(0);
    const lines = out
      .replaceAll(/\d{4}-\d\d-\d\dT(?!03:04)[\d:.]+Z/g, '<time>')
      .replaceAll(/in stream \S+/g, 'in stream <id>')
      .split('\n');
    expect(lines).toEqual([
      'Checkout a of tenant acme: completed',
      '<time> shop.OrderPlaced',
      `  event ${placed} of <time>, in stream <id>`,
      `  caused by nothing, correlation ${placed}`,
      `  appended shop.OrderPinged to stream ${target}`,
      '  sent shop.PingOrder',
      '  scheduled shop.PingOrder at 2030-01-02T03:04:05.000Z',
      '  set the timeout payment: shop.PingOrder 1800 s later',
      '<time> shop.OrderPaid',
      `  event ${paid} of <time>, in stream <id>`,
      `  caused by nothing, correlation ${paid}`,
      '  cancelled the timeout payment',
      '  invoked shop.PingOrder',
      '<time> completed',
      '<time> shop.OrderPaid, ignored: the instance had completed',
      `  event ${late} of <time>, in stream <id>`,
      `  caused by nothing, correlation ${late}`,
    ]);
    const { steps } = JSON.parse((await svc('show', 'Checkout', 'a', '--tenant', 'acme', '--json')).out) as History;
    expect(steps.map(({ kind }) => kind)).toEqual(['processed', 'processed', 'completed', 'ignored']);
  });

  it('shows an instance whose events are archived, with --archive', async () => {
    await place(service, 'a', { tenantId: 'acme' });
    await service.idle();
    const shown = await svc('show', 'Checkout', 'a', '--tenant', 'acme');
    const folder = mkdtempSync(join(tmpdir(), 'svc-processes-archive-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [lines, terminal] = collected();
    const args = ['archive', '--before', new Date().toISOString(), '--to', folder, '--database', file];
    expect([await run(args, terminal), lines.error]).toEqual([0, []]);
    const without = await svc('show', 'Checkout', 'a', '--tenant', 'acme');
    expect([without.code, without.error]).toEqual([1, expect.stringContaining('Pass --archive <folder>')]);
    expect(await svc('show', 'Checkout', 'a', '--tenant', 'acme', '--archive', folder)).toEqual(shown);
  });

  it('rejects an unknown instance, and one of another tenant', async () => {
    await place(service, 'a', { tenantId: 'acme' });
    await service.idle();
    const missing = await svc('show', 'Checkout', 'a');
    expect(missing.code).toBe(1);
    expect(missing.error).toContain('has no instance a of the process Checkout without a tenant');
    expect((await svc('show', 'Checkout', 'a', '--tenant', 'other')).code).toBe(1);
    expect((await svc('show', 'Checkout')).code).toBe(2);
    expect((await svc('list', '--after', 'x')).code).toBe(2);
  });
});

interface Page {
  readonly instances: readonly { readonly key: string }[];
  readonly next: string | null;
}

interface History {
  readonly steps: readonly { readonly kind: string }[];
}
