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
    [0, {}, /whole numbers/],
    [1.5, {}, /whole numbers/],
    [2, {}, /no upcaster from 1 to 2/],
    [4, { 1: same, 3: same }, /no upcaster from 2 to 3/],
    [2, { 1: same, 2: same }, /an upcaster from 2\. Raise/],
    [2, { 0: same, 1: same }, /an upcaster from 0/],
  ])('is refused at once without every step to it: %s %o', (version, upcasters, message) => {
    expect(() => registryOf(version, upcasters)).toThrow(message);
  });

  it('is noted with events of later versions than 1, and beside other metadata', () => {
    const registry = registryOf(2, { 1: same });
    const metadata = { origin: 'x' };
    expect(registry.withVersion('a.Renamed', metadata)).toEqual({ origin: 'x', schemaVersion: 2 });
    expect(registry.withVersion('a.Other', metadata)).toBe(metadata);
  });
});

describe('a kept body', () => {
  const registry = registryOf(3, {
    1: ({ name, ...rest }) => ({ ...rest, customer: name }),
    2: ({ customer, ...rest }) => ({ ...rest, customer: { name: customer } }),
  });

  it('is read as the version that is known, whichever it was kept as', () => {
    const expected = { id: 7, customer: { name: 'Ann' } };
    expect(registry.readKept('a.Renamed', { id: 7, name: 'Ann' }, {})).toEqual(expected);
    expect(registry.readKept('a.Renamed', { id: 7, customer: 'Ann' }, { schemaVersion: 2 })).toEqual(expected);
    expect(registry.readKept('a.Renamed', expected, { schemaVersion: 3 })).toEqual(expected);
  });

  it.each([4, 0, -1, '2', 2.5, null])(
    'of a version that nobody knows is an error that says so: %s',
    (schemaVersion) => {
      expect(() => registry.readKept('a.Renamed', {}, { schemaVersion })).toThrow(
        expect.objectContaining({ code: 'SVC_EVENT_VERSION_UNKNOWN' }) as Error,
      );
    },
  );

  it('that its upcaster cannot take is an error that names the step', () => {
    const failing = registryOf(2, {
      1: () => {
        throw new Error('no');
      },
    });
    expect(() => failing.readKept('a.Renamed', {}, {})).toThrow(/a\.Renamed cannot be brought from version 1 to 2/);
  });
});
