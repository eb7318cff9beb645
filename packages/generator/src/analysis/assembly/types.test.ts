import { expect, it } from 'vitest';
import type { NamedType } from '../../model/index.js';
import type { ModuleFacts } from '../facts.js';
import type { TypeDraft } from '../types/index.js';
import { Reports } from './reports.js';
import { assembleTypes } from './types.js';

const at = { file: 'src/a.ts', line: 1, column: 1 };

function draft(id: string, ...references: readonly string[]): TypeDraft {
  return {
    id,
    name: id.replace(/^.*#/, ''),
    module: id.replace(/#.*$/, ''),
    exportName: null,
    isClass: false,
    constructorProperties: [],
    description: null,
    type: { kind: 'tuple', items: references.map((to) => ({ kind: 'ref', id: to })) },
    references: references.map((to) => ({ id: to, where: id, at: null })),
    secrets: [],
    erasable: [],
    findings: [],
    findingsAsRoot: [],
    findingsAsPart: [],
  };
}

/** All drafts in use, by id. */
function assemble(...drafts: readonly TypeDraft[]): Map<string, NamedType> {
  const facts: ModuleFacts = {
    messages: [],
    endpoints: [],
    receptors: [],
    deciders: [],
    perspectives: [],
    reactions: [],
    processes: [],
    customEndpoints: [],
    types: new Map(drafts.map((one) => [one.id, one])),
    diagnostics: [],
  };
  const requests = drafts.map(({ id, name }) => ({ value: { typeId: id, name }, at }));
  const types = assembleTypes([facts], { messages: [], requests, results: [] }, new Reports([]));
  return new Map(types.map((type) => [type.id, type]));
}

it('returns the same object for an unchanged type', () => {
  const unchanged = draft('shop#Item');
  const before = assemble(unchanged, draft('shop#Order', unchanged.id));
  const after = assemble(unchanged, draft('shop#Order', unchanged.id));
  expect(after.get(unchanged.id)).toBe(before.get(unchanged.id));
  expect(after.get('shop#Order')).not.toBe(before.get('shop#Order'));
});

it('returns a new object when another type takes its name', () => {
  const unchanged = { ...draft('shop#Page<shop#B>'), name: 'Page' };
  expect(assemble(unchanged).get(unchanged.id)?.name).toBe('Page');
  const first = { ...draft('shop#Page<shop#A>'), name: 'Page' };
  expect(assemble(first, unchanged).get(unchanged.id)?.name).toBe('Page2');
  expect(assemble(unchanged).get(unchanged.id)?.name).toBe('Page');
});

it('returns a new object when other types refer back to it', () => {
  const unchanged = draft('shop#Item', 'shop#Order');
  expect(assemble(unchanged, draft('shop#Order')).get(unchanged.id)?.isRecursive).toBe(false);
  expect(assemble(unchanged, draft('shop#Order', unchanged.id)).get(unchanged.id)?.isRecursive).toBe(true);
});
