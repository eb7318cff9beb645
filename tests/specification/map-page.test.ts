/** What the check of the map finds, in a small repository: each reason to reject a row. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultsOf } from './map-page.js';

const files = {
  'packages/core/package.json': JSON.stringify({
    name: '@svc/core',
    exports: { '.': { default: './dist/index.js' } },
  }),
  'packages/core/src/index.ts': "export { Shop, limits } from './shop.js';\nexport type { Order } from './shop.js';\n",
  'packages/core/src/shop.ts': `
    export class Shop { open() {} }
    export interface Order { readonly id: string }
    export const limits = { orders: 1 } as const;
    export const internal = 1;
  `,
  'tests/sample.test.ts': `
    import { describeShared } from './shared.js';
    it('runs', () => {});
    describe('a group', () => {
      it.each([['a case'], ['another case']])('is %s', () => {});
      it.skip('sleeps', () => {});
    });
    describe.skip('a group that sleeps', () => { it('is in it', () => {}); });
    it.todo('is planned');
    it.skipIf(isSlow)('depends', () => {});
    it('gives up', (context) => { if (isSlow) context.skip(); });
    it('is switched off', { skip: true }, () => {});
    it.runIf(isSlow)('runs as well', () => {});
    it('runs as well', () => {});
    // it('is a comment', () => {});
    describeShared();
  `,
  'tests/shared.ts': `
    const cases = [{ name: 'is shared' }];
    export function describeShared() { it.each(cases)('$name', () => {}); }
  `,
};

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-specification-map-'));
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), source);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

function faultsOfRow(symbols: string, proofs: string): readonly string[] {
  const definitions =
    '[sample]: ../../tests/sample.test.ts\n[gone]: ../../tests/gone.test.ts\n[shared]: ../../tests/shared.ts\n';
  return faultsOf(
    root,
    `## Part\n\n| Specification | Symbol | Proof |\n| --- | --- | --- |\n| row | ${symbols} | ${proofs} |\n\n${definitions}`,
  );
}

it.each([
  ['`Shop`', '[sample] `runs`'],
  ['`Shop.open`, `Order.id`, `limits.orders`', '[sample] `runs`<br>[sample] `a group > is a case`'],
  ['`Order` of `@svc/core`', '[sample] `is another case`'],
  ['`Shop`', '[sample] `runs as well`'],
  ['`Shop`', '[sample] `is shared`'],
])('accepts %s with %s', (symbols, proofs) => expect(faultsOfRow(symbols, proofs)).toEqual([]));

it.each([
  ['a row without a proof', '`Shop`', '', 'has no proof'],
  ['a row without a symbol', '', '[sample] `runs`', 'names no symbol'],
  ['a proof in a file that does not exist', '`Shop`', '[gone] `runs`', 'tests/gone.test.ts is not a test file'],
  ['a proof in a file that is not defined', '`Shop`', '[nowhere] `runs`', '[nowhere] is not a test file'],
  ['a proof in a file that is no test', '`Shop`', '[shared] `is shared`', 'tests/shared.ts is not a test file'],
  ['a test that does not exist', '`Shop`', '[sample] `walks`', 'tests/sample.test.ts has no test "walks"'],
  ['a test in a comment', '`Shop`', '[sample] `is a comment`', 'tests/sample.test.ts has no test "is a comment"'],
  [
    'a case that does not exist',
    '`Shop`',
    '[sample] `is a third case`',
    'tests/sample.test.ts has no test "is a third case"',
  ],
  [
    'a test of another group',
    '`Shop`',
    '[sample] `other > is a case`',
    'tests/sample.test.ts has no test "other > is a case"',
  ],
  ['a test that is skipped', '`Shop`', '[sample] `sleeps`', '"sleeps" of tests/sample.test.ts is skipped'],
  [
    'a test in a group that is skipped',
    '`Shop`',
    '[sample] `is in it`',
    '"is in it" of tests/sample.test.ts is skipped',
  ],
  ['a test that is planned', '`Shop`', '[sample] `is planned`', '"is planned" of tests/sample.test.ts is skipped'],
  ['a test under a condition', '`Shop`', '[sample] `depends`', '"depends" of tests/sample.test.ts is skipped'],
  ['a test that skips itself', '`Shop`', '[sample] `gives up`', '"gives up" of tests/sample.test.ts is skipped'],
  [
    'a test that an option skips',
    '`Shop`',
    '[sample] `is switched off`',
    '"is switched off" of tests/sample.test.ts is skipped',
  ],
  ['a symbol that is not exported', '`internal`', '[sample] `runs`', 'internal is not exported by @svc/core'],
  ['a member that does not exist', '`Shop.close`', '[sample] `runs`', 'Shop.close is not exported by @svc/core'],
  ['a symbol of another package', '`Shop` of `@svc/deploy`', '[sample] `runs`', 'Shop is not exported by @svc/deploy'],
])('rejects %s', (_what, symbols, proofs, fault) =>
  expect(faultsOfRow(symbols, proofs)).toEqual([`Part: row: ${fault}`]),
);
