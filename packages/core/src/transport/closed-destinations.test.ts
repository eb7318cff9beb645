import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newId } from '../messages/index.js';
import { ClosedDestinations } from './closed-destinations.js';
import type { TransportMessage } from './transport.js';

function transportMessage(fields: Partial<TransportMessage> = {}): TransportMessage {
  const id = newId();
  const names = { type: 'test.Happened', destination: 'test', origin: 'sender' };
  const rest = { body: '{}', timestamp: Date.now(), causationId: null, scope: null, metadata: {} };
  return { id, streamId: newId(), correlationId: id, ...names, ...rest, ...fields };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  // The longest delays: 50 ms, then twice as long each time.
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const to = (destination: string, fields: Partial<TransportMessage> = {}) =>
  transportMessage({ destination, ...fields });
const command = (destination: string): TransportMessage => {
  const id = newId();
  return to(destination, { id, streamId: id });
};
const full = new Error('The queue is full.');
const closedDestinations = (most?: number) => new ClosedDestinations(() => {}, most);

it('holds back messages for a closed destination, and later messages of their streams for any destination', () => {
  const reports: unknown[] = [];
  const closed = new ClosedDestinations((error) => reports.push(error));
  const [first, other] = [to('full'), to('full')];
  expect(closed.holdsBack(first)).toBe(false);
  closed.closed(first, full);
  expect(reports).toEqual([full]);
  expect(closed.holdsBack(to('orders', { streamId: first.streamId }))).toBe(true);
  expect(closed.holdsBack(to('orders', { streamId: other.streamId })), 'it has not been held back yet').toBe(false);
  expect(closed.holdsBack(other)).toBe(true);
  expect(closed.holdsBack(to('orders', { streamId: other.streamId }))).toBe(true);
  expect(closed.holdsBack(to('orders'))).toBe(false);
});

it('tries each closed destination again in the next pass', () => {
  const closed = closedDestinations();
  const message = to('full');
  closed.closed(message, full);
  expect(closed.isUntried(message), 'it was tried in this pass').toBe(false);
  closed.beginPass();
  expect(closed.retryInMs).toBeNull();
  expect([closed.isUntried(message), closed.isUntried(to('orders')), closed.holdsBack(message)]).toEqual([
    true,
    false,
    false,
  ]);
  closed.opened(message);
  expect(closed.isUntried(message)).toBe(false);
  closed.beginPass();
  expect(closed.isUntried(message), 'it is open').toBe(false);
});

it('is retried after a delay from the first failure of a pass, and longer after each pass', () => {
  const closed = closedDestinations();
  expect(closed.retryInMs).toBeNull();
  closed.closed(to('full'), full);
  expect(closed.retryInMs).toBe(50);
  vi.advanceTimersByTime(20);
  expect(closed.retryInMs).toBe(30);
  closed.closed(to('gone'), full);
  expect(closed.retryInMs, 'a later one does not postpone it').toBe(30);
  vi.advanceTimersByTime(100);
  expect(closed.retryInMs).toBe(0);
  for (const delay of [50, 100, 200]) {
    closed.beginPass();
    for (const name of ['full', 'gone']) closed.closed(to(name), full);
    expect(closed.retryInMs).toBe(delay);
    vi.advanceTimersByTime(delay);
  }
});

it('is retried soon again after one of the destinations has opened, or another one has closed', () => {
  const closed = closedDestinations();
  closed.closed(to('full'), full);
  for (const delay of [100, 200]) {
    closed.beginPass();
    closed.closed(to('full'), full);
    expect(closed.retryInMs).toBe(delay);
  }
  closed.beginPass();
  closed.closed(to('gone'), full);
  expect(closed.retryInMs).toBe(50);
  closed.closed(to('full'), full);
  closed.beginPass();
  closed.closed(to('full'), full);
  closed.beginPass();
  closed.opened(to('gone'));
  closed.closed(to('full'), full);
  expect(closed.retryInMs).toBe(50);
  closed.beginPass();
  closed.opened(to('orders'));
  closed.closed(to('full'), full);
  expect(closed.retryInMs, 'one that was open all the time changes nothing').toBe(100);
});

it('is full once it holds back the maximum number of streams; commands have none', () => {
  const closed = closedDestinations(2);
  closed.closed(command('full'), full);
  for (let i = 0; i < 5; i++) expect(closed.holdsBack(command('full'))).toBe(true);
  const first = to('full');
  closed.holdsBack(first);
  closed.holdsBack(first);
  expect(closed.isFull).toBe(false);
  closed.holdsBack(to('full'));
  expect(closed.isFull).toBe(true);
  closed.beginPass();
  expect(closed.isFull).toBe(false);
});
