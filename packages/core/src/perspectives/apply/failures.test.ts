import { expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import { perspectiveFailed, stoppedStream, type CountedFailure } from './failures.js';

it('stores the error of a perspective without credentials', () => {
  const error = new Error('GET https://app:hunter2hunter2@search.example/index failed');
  const envelope = { id: newId(), type: 'shop.OrderPlaced', scope: null };
  const failure = {
    event: { streamId: newId(), position: 1, envelope },
    error,
    attempt: 1,
  } as unknown as CountedFailure;
  const expected = { errorMessage: 'GET https://***@search.example/index failed' };
  expect(stoppedStream(failure)).toMatchObject(expected);
  expect(perspectiveFailed('Orders', failure)).toMatchObject(expected);
});
