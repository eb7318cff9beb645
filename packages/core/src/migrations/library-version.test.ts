import { expect, it } from 'vitest';
import { isNewer, libraryVersion, oldestLibrary } from './library-version.js';

it.each([
  ['2.0.0', '1.9.9'],
  ['0.2.0', '0.1.9'],
  ['0.10.0', '0.9.0'],
  ['0.1.10', '0.1.9'],
  // Missing numbers, and those that are none, count as 0.
  ['1.0.1', '1.0'],
  ['1.1', '1.0.9'],
  ['1', '1.0.0-beta'],
  ['1.x.1', '1.0.0'],
  ['1.0.1', '1.x.0'],
  // A prerelease is older than its release, and newer than the release before.
  ['1.0.0', '1.0.0-beta'],
  ['1.0.1-alpha', '1.0.0'],
  ['1.0.0-beta', '1.0.0-alpha'],
  // A prerelease can contain a hyphen.
  ['1.0.0-ab', '1.0.0-a-b'],
  ['1.0.0-rc-2', '1.0.0-rc-1'],
])('%s is newer than %s', (a, b) => {
  expect(isNewer(a, b)).toBe(true);
  expect(isNewer(b, a)).toBe(false);
});

it.each([
  ['1.2.3', '1.2.3'],
  ['1.0', '1.0.0'],
  ['1.0.0', '1'],
  ['1.0.0-beta', '1.0.0-beta'],
])('neither of %s and %s is newer', (a, b) => {
  expect(isNewer(a, b)).toBe(false);
  expect(isNewer(b, a)).toBe(false);
});

it('the version of an item that any program may change is older than every library', () => {
  expect(oldestLibrary).toBe('0.0.0');
  expect(isNewer(libraryVersion, oldestLibrary)).toBe(true);
});
