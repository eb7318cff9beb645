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

it('passes over what a newer version has added to a model', () => {
  expect(readStoredModel(named, '{"note":"a","loud":"A"}')).toMatchObject({ note: 'a' });
});

it('says of a model that lacks something that it is not what its type declares', () => {
  expect(() => readStoredModel(named, '{"loud":"A"}')).toThrow(
    'A model of Notes is not what its type declares any more',
  );
});
