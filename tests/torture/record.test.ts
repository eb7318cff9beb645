/** How runs are recorded for docs/reference/reliability.md. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addRecord, recordOf, type RecordedRun, type TortureResult } from '../../tools/torture/index.mjs';

const result: TortureResult = {
  run: 'kills',
  unit: 'kills of hosts',
  storages: ['postgres', 'sqlite'],
  isOneStorage: false,
  hosts: 2,
  from: null,
  seed: 7,
  count: 100,
  done: 40,
  rounds: 1,
  seconds: 61.2,
  counts: { 'stored events': 12_345 },
  invariants: [{ name: 'streams are in order', checked: 1_234, violations: ['a gap', 'another gap'] }],
};
const record = (changes: Partial<RecordedRun>): RecordedRun => {
  return { ...recordOf(result, { commit: 'c1', date: '2026-01-02' }), ...changes };
};

it('records what was done, the command that repeats it, and how many violations were found', () => {
  expect(record({})).toEqual({
    run: 'kills',
    command: 'npm run torture -- kills --count 40 --seed 7 --hosts 2',
    commit: 'c1',
    date: '2026-01-02',
    storages: ['postgres', 'sqlite'],
    seed: 7,
    unit: 'kills of hosts',
    count: 100,
    done: 40,
    rounds: 1,
    seconds: 61.2,
    counts: { 'stored events': 12_345 },
    invariants: [{ name: 'streams are in order', checked: 1_234, violations: 2 }],
  });
});

it('collects the seeds of one commit, and replaces those of other commits', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'svc-')), 'runs.json');
  const added = (changes: Partial<RecordedRun>): string[] => {
    addRecord(file, record(changes));
    const runs = JSON.parse(readFileSync(file, 'utf8')) as RecordedRun[];
    return runs.map(({ run, storages, seed, commit, done }) => [run, storages, seed, commit, done].join(' '));
  };
  const disk = 'disk postgres,sqlite 7 c1 40';
  const onSqlite = 'kills sqlite 7 c1 40';

  expect(added({ run: 'disk' })).toEqual([disk]);
  expect(added({ storages: ['sqlite'] })).toEqual([disk, onSqlite]);
  expect(added({})).toEqual([disk, onSqlite, 'kills postgres,sqlite 7 c1 40']);
  expect(added({ seed: 8 }).slice(2)).toEqual(['kills postgres,sqlite 7 c1 40', 'kills postgres,sqlite 8 c1 40']);
  expect(added({ done: 50 }).slice(2)).toEqual(['kills postgres,sqlite 8 c1 40', 'kills postgres,sqlite 7 c1 50']);
  expect(added({ seed: 9, commit: 'c2' })).toEqual([disk, onSqlite, 'kills postgres,sqlite 9 c2 40']);
});
