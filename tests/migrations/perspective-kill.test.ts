import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@svc/core';
import { type PerspectiveColumn } from '@svc/core/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundledProgram } from '../bundled-program.js';
import { killedDatabases } from '../killed-databases.js';
import { useDatabases, type TrialDatabase } from './databases.js';

const databases = useDatabases();

const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e9));
/** More of them take longer: a process that is gone keeps its lock of a SQLite file for two seconds. */
const kills = Number(process.env['SVC_TEST_KILLS'] ?? 1);
const migrator = await bundledProgram(new URL('killed-migrator.mjs', import.meta.url));

const count: PerspectiveColumn = { name: 'count', type: 'integer' };
const sum: PerspectiveColumn = { name: 'sum', type: 'integer' };

interface Settings {
  readonly columns: readonly PerspectiveColumn[];
  readonly version: number;
  readonly appends: readonly (readonly [streamId: string, amount: number])[];
  readonly isSlow?: boolean;
}

describe.each(killedDatabases(databases, seed))('on %s', (kind) => {
  let database: TrialDatabase;
  beforeEach(async () => void (database = await databases[kind]!()));
  afterEach(() => database.remove());

  /** Runs a host to its end; or until `isFar`, a moment longer, and kills it. */
  async function run(settings: Settings, isFar?: () => Promise<boolean>, pauseMs = 0): Promise<void> {
    const child = spawn(process.execPath, [migrator, kind, database.where], { stdio: 'pipe' });
    child.stdin.end(JSON.stringify(settings));
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    const ended = new Promise((resolve) => child.once('close', resolve));
    if (isFar !== undefined) {
      try {
        await expect.poll(() => output !== '' && isFar(), { interval: 5, timeout: 30_000 }).toBe(true);
        await sleep(pauseMs);
      } finally {
        child.kill('SIGKILL');
        await ended;
      }
    }
    await ended;
    expect(output).toBe(isFar === undefined ? 'open\ndone\n' : 'open\n');
  }
  const record = async () =>
    (await database.query("SELECT * FROM svc_schema_migrations WHERE key = 'perspective/Counts'"))[0]!;
  const copied = async (): Promise<number> => {
    const { progress } = await record();
    return typeof progress === 'string' ? (JSON.parse(progress) as { rows: number }).rows : 0;
  };
  const replayed = async (): Promise<number> => {
    const [row] = await database.query(
      "SELECT sequence FROM svc_perspectives WHERE perspective = 'Counts' AND role = 'migrating'",
    );
    return Number(row?.['sequence'] ?? -1);
  };

  it.each([
    ['ColumnCopy', { columns: [count, sum], version: 1 }, copied, 600, 2],
    // It takes 10 s, so that it is killed before the end also if this test gets little time.
    ['EventReplay', { columns: [count], version: 2 }, replayed, 500, 20],
  ] as const)(
    `%s of a perspective resumes where it was killed, and neither loses nor repeats anything (seed ${seed})`,
    async (strategy, next, progress, streams, each) => {
      const expected = new Map<string, { count: number; sum: number }>();
      const add = (streamId: string, amount: number): readonly [string, number] => {
        const known = expected.get(streamId) ?? { count: 0, sum: 0 };
        expected.set(streamId, { count: known.count + 1, sum: known.sum + amount });
        return [streamId, amount];
      };
      const ids = Array.from({ length: streams }, () => newId());
      const appends = Array.from({ length: streams * each }, (_, i) => add(ids[i % streams]!, i));
      await run({ columns: [count], version: 1, appends });
      let random = seed;
      for (let kill = 0; kill < kills; kill++) {
        const before = await progress();
        random = (random * 48_271) % 2_147_483_647;
        const more = [add(ids[kill]!, 7), add(newId(), kill)];
        await run({ ...next, appends: more, isSlow: true }, async () => (await progress()) > before, random % 40);
        expect(await record(), `seed ${seed}, kill ${kill}`).toMatchObject({ status: 4, strategy });
      }
      const before = await progress();
      expect(before).toBeGreaterThan(0);

      await run({ ...next, appends: [add(ids[5]!, 9)] });
      expect(await record()).toMatchObject({ status: 2, strategy });
      const rows = await database.query('SELECT key, body, p_count FROM svc_perspective_counts');
      expect(rows).toHaveLength(expected.size);
      for (const { key, body, p_count: indexed } of rows) {
        const model = expected.get(key as string)!;
        expect(JSON.parse(body as string), `seed ${seed}`).toEqual({ ...model, by: next.version });
        expect(Number(indexed)).toBe(model.count);
      }
      if (strategy === 'ColumnCopy') {
        const filled = await database.query('SELECT key, p_sum FROM svc_perspective_counts WHERE p_sum IS NOT NULL');
        for (const { key, p_sum: indexed } of filled) expect(Number(indexed)).toBe(expected.get(key as string)!.sum);
        expect(filled).toHaveLength(expected.size);
      }
      // Those that were filled beside are gone; those of the version before are aside.
      const left = "SELECT name FROM svc_perspectives WHERE role IN ('rebuilding', 'migrating')";
      expect(await database.query(left)).toEqual([]);
    },
    30_000 + 30_000 * kills,
  );
});
