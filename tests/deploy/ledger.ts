import { Agent } from 'node:http';
import { expect } from 'vitest';
import { send, type Load } from './load.js';
import type { Rig } from './rig.js';
import { waitFor } from './wait-for.js';

type Summary = Readonly<Record<string, unknown>> & { readonly orderId: string };

/**
 * Expects that every order that was acknowledged is in the event store once, is audited once, as an event and as a command, and that there is
 * no other: nothing is lost, and nothing was done twice.
 */
export async function expectStoredOnce({ database }: Rig, loads: readonly Load[]): Promise<void> {
  const acknowledged = loads.flatMap(({ orders }) => orders).toSorted();
  const ids = async (sql: string): Promise<string[]> =>
    (await database.query(sql)).rows.map((row: { id: string }) => row.id).toSorted();
  expect(await ids(placed)).toEqual(acknowledged);
  const stored = { events: acknowledged, commands: await ids(placedBy) };
  for (const [audited, expected] of [
    [auditedEvents, stored.events],
    [auditedCommands, stored.commands],
  ] as const) {
    // Audit records come a moment after the answer.
    await waitFor(async () => (await ids(audited)).length >= expected.length, 'audit records');
    expect(await ids(audited)).toEqual(expected);
  }
}

const placed = `SELECT stream_id AS id FROM svc_events WHERE type = 'orders.OrderPlaced'`;
/** What a command and all that comes of it have in common. */
const placedBy = `SELECT correlation_id AS id FROM svc_events WHERE type = 'orders.OrderPlaced'`;
const auditedEvents = `
  SELECT placed.stream_id AS id FROM svc_events record JOIN svc_events placed ON placed.id = record.causation_id
  WHERE record.type = 'svc.EventAudited' AND placed.type = 'orders.OrderPlaced'`;
const auditedCommands = `
  SELECT correlation_id AS id FROM svc_events
  WHERE type = 'svc.CommandAudited' AND body->>'commandType' = 'orders.CreateOrder'`;

/** Expects that an instance shows every acknowledged order, and returns the summaries: some by their ids, all of them page by page. */
export async function expectReadable(address: string, loads: readonly Load[]): Promise<readonly Summary[]> {
  const acknowledged = loads.flatMap(({ orders }) => orders).toSorted();
  const agent = new Agent({ keepAlive: true });
  const port = Number(address.split(':')[1]);
  const read = async <T>(path: string): Promise<T> => {
    const { status, body } = await send(port, agent, path);
    expect({ status, body: status === 200 ? '' : body }).toEqual({ status: 200, body: '' });
    return JSON.parse(body) as T;
  };
  const all = async (): Promise<Summary[]> => {
    const found: Summary[] = [];
    for (let next: string | null = ''; next !== null;) {
      const after: string = next === '' ? '' : `&after=${encodeURIComponent(next)}`;
      const page: { items: Summary[]; next: string | null } = await read(`/orders?pageSize=100${after}`);
      found.push(...page.items);
      ({ next } = page);
    }
    return found;
  };
  try {
    // Models follow a moment behind.
    await waitFor(async () => (await all()).length >= acknowledged.length, 'all summaries');
    const summaries = await all();
    expect(summaries.map(({ orderId }) => orderId).toSorted()).toEqual(acknowledged);
    const sample = summaries.filter((_, i) => i % Math.ceil(summaries.length / 20) === 0);
    for (const summary of sample) expect(await read(`/orders/${summary.orderId}`)).toEqual(summary);
    return summaries;
  } finally {
    agent.destroy();
  }
}
