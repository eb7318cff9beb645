import { expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import { DeferredSignal } from './cancellation.js';
import { claimOf, CommandRequest, noteLastEvent, offerClaim } from './command-request.js';
import { IdempotencyClaim } from './idempotency-claim.js';

class Deposit {}

function keyedRequest(): { request: CommandRequest; claim: IdempotencyClaim; command: Deposit } {
  const request = new CommandRequest();
  const claim = new IdempotencyClaim(Deposit, 'id', 'hash', JSON.stringify, 1);
  request.claim = claim;
  return { request, claim, command: new Deposit() };
}

it('lets no command take the claim before it is offered', () => {
  const { request, claim, command } = keyedRequest();
  expect(claimOf(command, request)?.takenBy(command)).toBeUndefined();
  offerClaim(command, request);
  expect(claimOf(command, request)?.takenBy(command)).toBe(claim);
});

it('finds the claim by the signal when a hook replaces the command', () => {
  const { request, claim, command } = keyedRequest();
  offerClaim(command, request);
  expect(claimOf(new Deposit(), request.signal)).toBe(claim);
});

it('finds the claim by the command when a hook replaces the signal', () => {
  const { request, claim, command } = keyedRequest();
  offerClaim(command, request);
  expect(claimOf(command, AbortSignal.any([request.signal]))).toBe(claim);
  expect(claimOf(command, new DeferredSignal())).toBe(claim);
});

it('finds no claim for a request without an idempotency key', () => {
  const [request, command] = [new CommandRequest(), new Deposit()];
  offerClaim(command, request);
  offerClaim(command, new DeferredSignal());
  expect([claimOf(command, request), claimOf(command, new DeferredSignal())]).toEqual([undefined, undefined]);
});

it('finds no claim by another command with another signal', () => {
  const { request, command } = keyedRequest();
  offerClaim(command, request);
  expect(claimOf(new Deposit(), new DeferredSignal())).toBeUndefined();
});

it('notes the last event of a command that is cancelled by the request or by its signal', () => {
  const request = new CommandRequest();
  const [first, second] = [newId(), newId()];
  noteLastEvent(request, first);
  expect(request.lastEventId).toBe(first);
  noteLastEvent(request.signal, second);
  expect(request.lastEventId).toBe(second);
  noteLastEvent(AbortSignal.any([request.signal]), first);
  expect(request.lastEventId).toBe(second);
});
