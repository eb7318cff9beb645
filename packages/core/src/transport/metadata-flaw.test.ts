import { expect, it } from 'vitest';
import { metadataErrorOf, metadataFlawOf } from './metadata-flaw.js';

/** Metadata whose deepest container is at a level; the metadata themselves are at level 1. */
const nested = (levels: number): object => {
  let value: object = {};
  for (let i = 1; i < levels; i++) value = i % 2 === 0 ? [value] : { x: value };
  return value;
};
const unstorable = 'it contains a string with U+0000 or half a surrogate pair';

it.each<[string, object]>([
  ['none', {}],
  ['values of every kind', { a: 'é😀\u0001', b: 1, c: null, d: true, e: ['x', { f: [] }], g: undefined }],
  ['100 levels', nested(100)],
])('accepts %s', (_, metadata) => {
  expect(metadataFlawOf(metadata)).toBeNull();
  expect(metadataErrorOf({ metadata: metadata as Record<string, unknown> })).toBeNull();
});

it.each<[string, object, string]>([
  ['101 levels', nested(101), 'it is nested more than 100 levels deep'],
  ['more levels than the call stack', nested(200_000), 'it is nested more than 100 levels deep'],
  ['U+0000', { svcTenant: 'a\0b' }, unstorable],
  ['half a surrogate pair', { svcTenant: '\ud800' }, unstorable],
  ['U+0000 in a nested value', { a: [1, { b: ['\0'] }] }, unstorable],
  ['half a surrogate pair in a nested value', { a: { b: 'x\udc00' } }, unstorable],
  ['U+0000 in a key', { 'a\0': 1 }, unstorable],
  ['half a surrogate pair in a nested key', { a: [{ '\ud800': 1 }] }, unstorable],
])('rejects %s', (_, metadata, flaw) => {
  expect(metadataFlawOf(metadata)).toBe(flaw);
  expect(metadataErrorOf({ metadata: metadata as Record<string, unknown> })).toMatchObject({
    code: 'SVC_MALFORMED_CLOUD_EVENT',
    message: `Cannot read a message: it is not a CloudEvent that svc accepts, because of its metadata: ${flaw}. Fix its sender.`,
  });
});

it('ends for metadata that contain themselves', () => {
  const metadata: Record<string, unknown> = {};
  Object.assign(metadata, { a: metadata, b: metadata });
  expect(metadataFlawOf(metadata)).toBe('it is nested more than 100 levels deep');
});
