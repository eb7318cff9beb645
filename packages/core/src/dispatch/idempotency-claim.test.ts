import { expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import { IdempotencyKeyInUseError } from '../storage/index.js';
import { IdempotencyClaim } from './idempotency-claim.js';

class Deposit {}
class Withdraw {}

const claimOfDeposit = (): IdempotencyClaim => new IdempotencyClaim(Deposit, 'id', 'hash', JSON.stringify, 3);

it('is taken by the first command of its class, once it is open', () => {
  const claim = claimOfDeposit();
  expect(claim.takenBy(new Deposit()), 'not open yet').toBeUndefined();
  claim.open();
  expect(claim.takenBy(new Withdraw())).toBeUndefined();
  expect(claim.isReached).toBe(false);
  expect(claim.takenBy(new Deposit())).toBe(claim);
  expect(claim.isReached).toBe(true);
  expect(claim.takenBy(new Deposit()), 'taken').toBeUndefined();
});

it('can be taken again by the next attempt once its command has failed', () => {
  const claim = claimOfDeposit();
  claim.open();
  claim.takenBy(new Deposit());
  expect(claim.attempt).toBe(3);
  claim.giveBack();
  expect(claim.attempt).toBe(4);
  expect(claim.isReached).toBe(true);
  expect(claim.takenBy(new Deposit())).toBe(claim);
});

it('records the result of its command as JSON', () => {
  const messageId = newId();
  expect(claimOfDeposit().record(messageId, { balance: 5 })).toEqual({
    id: 'id',
    requestHash: 'hash',
    messageId,
    result: '{"balance":5}',
  });
});

it('is lost once another request has committed its command under the key', () => {
  const claim = claimOfDeposit();
  expect([claim.isLost, claim.isLostBy(new Error('other')), claim.isLost]).toEqual([false, false, false]);
  expect([claim.isLostBy(new IdempotencyKeyInUseError()), claim.isLost]).toEqual([true, true]);
  expect([claim.isLostBy(new Error('other')), claim.isLost]).toEqual([true, true]);
});
