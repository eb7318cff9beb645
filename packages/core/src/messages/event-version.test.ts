import { describe, expect, it } from 'vitest';
import type { Reader } from '../json/index.js';
import { eventVersion, type Upcasters } from './event-version.js';
import { MessageRegistry } from './message-registry.js';

const same: Upcasters[number] = (body) => body;

function registryOf(version: number, upcasters: Upcasters): MessageRegistry {
  class Renamed {}
  eventVersion(version, upcasters)(Renamed);
  const read: Reader<object> = (value) => value as object;
  return new MessageRegistry([{ type: 'a.Renamed', kind: 'event', class: Renamed, read, write: JSON.stringify }]);
}

describe('a declared version', () => {
  it.each([
    [1, {}, /1 needs no declaration/],
    [0, {}, /Use a whole number above 1/],
    [1.5, {}, /Use a whole number above 1/],
    [2, {}, /no upcaster from 1 to 2/],
    [4, { 1: same, 3: same }, /no upcaster from 2 to 3/],
    [2, { 1: same, 2: same }, /an upcaster from 2\. Raise/],
    [2, { 0: same, 1: same }, /an upcaster from 0/],
  ])('is rejected if an upcaster is missing or the version is invalid: %s %o', (version, upcasters, message) => {
    expect(() => registryOf(version, upcasters)).toThrow(message);
  });

  it('is added to the metadata of events with a version above 1', () => {
    const registry = registryOf(2, { 1: same });
    const metadata = { origin: 'x' };
    expect(registry.withVersion('a.Renamed', metadata)).toEqual({ origin: 'x', schemaVersion: 2 });
    expect(registry.withVersion('a.Other', metadata)).toBe(metadata);
  });
});

describe('a stored body', () => {
  const registry = registryOf(3, {
    1: ({ name, ...rest }) => ({ ...rest, customer: name }),
    2: ({ customer, ...rest }) => ({ ...rest, customer: { name: customer } }),
  });

  it('is upcast from any stored version to the current one', () => {
    const expected = { id: 7, customer: { name: 'Ann' } };
    expect(registry.readStoredMessage('a.Renamed', { id: 7, name: 'Ann' }, {})).toEqual(expected);
    expect(registry.readStoredMessage('a.Renamed', { id: 7, customer: 'Ann' }, { schemaVersion: 2 })).toEqual(expected);
    expect(registry.readStoredMessage('a.Renamed', expected, { schemaVersion: 3 })).toEqual(expected);
  });

  it.each([4, 0, -1, '2', 2.5, null])('of an unknown version is rejected: %s', (schemaVersion) => {
    expect(() => registry.readStoredMessage('a.Renamed', {}, { schemaVersion })).toThrow(
      expect.objectContaining({ code: 'SVC_EVENT_VERSION_UNKNOWN' }) as Error,
    );
  });

  it('whose upcaster fails is rejected with an error that names the step', () => {
    const failing = registryOf(2, {
      1: () => {
        throw new Error('no');
      },
    });
    expect(() => failing.readStoredMessage('a.Renamed', {}, {})).toThrow(
      /Cannot upcast an event of type a\.Renamed from version 1 to 2/,
    );
  });
});
