/** docs/reference/storage-capabilities.md, held to the code. */
import { readFileSync } from 'node:fs';
import { InMemoryStorage } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { capabilitiesOf, capabilityContracts } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { expect, it } from 'vitest';

const page = readFileSync(new URL('../../docs/reference/storage-capabilities.md', import.meta.url), 'utf8');
const [head = [], ...rows] = page
  .split('\n')
  .filter((line) => line.startsWith('|') && !line.startsWith('| --'))
  .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
const names = head.indexOf('Capability');

it('names every capability, and no other', () => {
  expect(rows.map((row) => row[names])).toEqual(Object.keys(capabilityContracts));
});

it.each<[string, Storage]>([
  ['In memory', new InMemoryStorage()],
  ['SQLite', sqlite()],
  ['PostgreSQL', postgres({ url: 'postgres://127.0.0.1/unopened' })],
])('states the capabilities of a storage: %s', (name, storage) => {
  const column = head.indexOf(name);
  expect(column).toBeGreaterThan(0);
  const stated = rows.filter((row) => row[column] === 'yes').map((row) => row[names]);
  expect(stated).toEqual(capabilitiesOf(storage));
});

it.each(Object.entries(capabilityContracts))('has cases in the contract for the capability %s', (_name, cases) => {
  expect(cases).not.toHaveLength(0);
});
