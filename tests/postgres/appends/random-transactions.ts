/** Random transactions that append events by SQL: slowly, late, in savepoints, under all isolation levels, prepared or undone. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Uuid } from '@svc/core';
import fc from 'fast-check';
import pg from 'pg';
import { appendStatement } from '../append-statement.js';

export interface RandomTransaction {
  readonly isolation: 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';
  readonly steps: readonly RandomStep[];
  readonly end: 'COMMIT' | 'ROLLBACK' | 'COMMIT PREPARED' | 'ROLLBACK PREPARED';
}

interface RandomStep {
  /** `write` gives the transaction an id without a lock on the table of events. */
  readonly action: 'write' | 'append' | 'append in a savepoint' | 'undo an append';
  readonly pauseMs: number;
}

const step: fc.Arbitrary<RandomStep> = fc.record({
  action: fc.constantFrom('write', 'write', 'append', 'append', 'append in a savepoint', 'undo an append'),
  pauseMs: fc.integer({ min: 0, max: 40 }),
});

export const randomTransaction: fc.Arbitrary<RandomTransaction> = fc.record({
  isolation: fc.constantFrom('READ COMMITTED', 'READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'),
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
  end: fc.constantFrom('COMMIT', 'COMMIT', 'COMMIT', 'ROLLBACK', 'COMMIT PREPARED', 'ROLLBACK PREPARED'),
});

/** A table that has nothing to do with events. */
export const notesTable = 'CREATE TABLE IF NOT EXISTS notes (note text)';
export const writeStatement = "INSERT INTO notes VALUES ('x')";

/** Runs a transaction. Returns the ids of the events that it has committed. */
export async function runTransaction(client: pg.Client, transaction: RandomTransaction): Promise<readonly Uuid[]> {
  const { isolation, steps, end } = transaction;
  await client.query(`BEGIN ISOLATION LEVEL ${isolation}`);
  try {
    const ids: Uuid[] = [];
    for (const { action, pauseMs } of steps) {
      ids.push(...(await take(client, action)));
      await sleep(pauseMs);
    }
    await endTransaction(client, end);
    return end.startsWith('COMMIT') ? ids : [];
  } catch (error) {
    await client.query('ROLLBACK');
    if (isSerializationFailure(error)) return [];
    throw error;
  }
}

async function take(client: pg.Client, action: RandomStep['action']): Promise<readonly Uuid[]> {
  if (action === 'write') {
    await client.query(writeStatement);
    return [];
  }
  if (action === 'append') return await append(client);
  await client.query('SAVEPOINT before');
  const ids = await append(client);
  await client.query(action === 'undo an append' ? 'ROLLBACK TO before' : 'RELEASE before');
  return action === 'undo an append' ? [] : ids;
}

async function append(client: pg.Client): Promise<readonly Uuid[]> {
  return (await client.query<{ id: Uuid }>(appendStatement)).rows.map(({ id }) => id);
}

async function endTransaction(client: pg.Client, end: RandomTransaction['end']): Promise<void> {
  if (!end.endsWith('PREPARED')) return void (await client.query(end));
  const { rows } = await client.query<{ name: string }>('SELECT gen_random_uuid() AS name');
  const name = rows[0]!.name;
  await client.query(`PREPARE TRANSACTION '${name}'`);
  await sleep(20);
  await client.query(`${end} '${name}'`);
}

function isSerializationFailure(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40001';
}
