import { expect, it } from 'vitest';
import type { Issues } from '../json/index.js';
import { readStoredModel } from './stored-model.js';

const named = {
  name: 'Notes',
  readModel(value: unknown, issues: Issues): object {
    const model = value as { note?: string };
    issues.unknownKeys(model, ['note']);
    if (model.note === undefined) issues.add('note', 'is required');
    return model;
  },
};

it('ignores properties that a newer version has added to a model', () => {
  expect(readStoredModel(named, '{"note":"a","loud":"A"}')).toMatchObject({ note: 'a' });
});

it('rejects a stored model that lacks a property of its type', () => {
  expect(() => readStoredModel(named, '{"loud":"A"}')).toThrow('A stored model of Notes does not match its type');
});
