/** svc audit show: an event with its body, for an operator. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, type Service, type Uuid } from '@svc/core';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { ann, bob, place, startShop } from './audited-shop.js';
import { emittedEvents } from './emitted.js';
import { svc } from './processes.js';

const databases = useDatabases();
/** With characters that change what a terminal shows. */
const reason = 'A customer called.\n\u001B[2J';

interface Shown {
  readonly event: { readonly id: Uuid; readonly body: Record<string, unknown> };
}

describe.each(Object.keys(databases))('svc audit show on %s', (kind) => {
  let database: TrialDatabase;
  let service: Service;
  let order: Uuid;
  beforeEach(async () => {
    database = await databases[kind]!();
    service = await startShop(database.storage());
    order = await place(service, ann, reason);
    await place(service, bob);
    await service.idle();
  });
  afterEach(async () => {
    await service.stop();
    await database.remove();
  });

  const show = (...args: string[]) => svc('audit', 'show', '--database', database.where, ...args);
  const json = async (...args: string[]): Promise<Shown['event']> => {
    const { code, out, error } = await show(...args, '--json');
    expect([code, error]).toEqual([0, '']);
    return (JSON.parse(out) as Shown).event;
  };

  it('prints an event by its place and by its id, with its body, its scope and where it is', async () => {
    const { code, out, error } = await show(`${order}@0`);
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/^ {2}id {13}[0-9a-f-]{36}\n {2}type {11}shop\.OrderPlaced\n/);
    expect(out).toContain(`  streamId       ${order}\n`);
    expect(out).toContain('  position       0\n');
    expect(out).toMatch(/\n {2}scope {10}\{.*"userId":"ann".*\}\n/);
    expect(out).toMatch(/\n\nbody\n\{\n(?:.*\n)+\}$/);
    const byPlace = await json(`${order}@0`);
    expect(byPlace).toMatchObject({ type: 'shop.OrderPlaced', streamId: order, position: 0, body: { note: '' } });
    expect(await json(byPlace.id.toUpperCase())).toEqual(byPlace);
  });

  it('prints an audit record with the command, without control characters', async () => {
    const { out } = await svc(
      'audit',
      'query',
      '--type',
      'shop.PlaceOrder',
      '--user',
      'ann',
      '--json',
      '--database',
      database.where,
    );
    const [{ id }] = (JSON.parse(out) as { entries: [{ id: string }] }).entries;
    expect(await json(id)).toMatchObject({
      type: 'svc.CommandAudited',
      body: { commandType: 'shop.PlaceOrder', commandBody: { orderId: order, reason } },
    });
    for (const shown of [await show(id), await show(id, '--json')]) expect(shown.out).not.toContain('\u001B');
  });

  it('prints an archived event with --archive', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-show-archive-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const before = await json(`${order}@0`);
    await service.idle();
    const until = new Date().toISOString();
    await svc('archive', '--before', until, '--to', folder, '--database', database.where);
    expect(await show(`${order}@0`)).toMatchObject({ code: 1, out: '', error: expect.stringContaining('--archive') });
    expect(await json(`${order}@0`, '--archive', folder)).toEqual(before);
  });

  it('is recorded with the operator and the event', async () => {
    const { id } = await json(`${order}@0`, '--as', 'olga');
    const ofKind = async (type: string) =>
      (await emittedEvents(database.storage(), type)).filter((event) => event['kind'] === 'audit.show');
    await expect.poll(() => ofKind('OperationEnded')).toHaveLength(1);
    expect(await ofKind('OperationStarted')).toMatchObject([
      { requestedBy: 'olga', target: id, arguments: { decrypted: false } },
    ]);
  });

  it.each([
    [newId(), 1, 'has no event'],
    [`${newId()}@0`, 1, 'has no event'],
    ['order-1', 2, 'the event must be a UUID'],
    [`${newId()}@-1`, 2, 'The position of an event must be a whole number from 0, not "-1".'],
    [`${newId()}@1@2`, 2, 'The position of an event must be'],
    [`${newId()}@99999999999999999999`, 2, 'The position of an event must be'],
  ])('rejects %s', async (event, code, error) => {
    expect(await show(event)).toMatchObject({ code, out: '', error: expect.stringContaining(error) });
  });
});
