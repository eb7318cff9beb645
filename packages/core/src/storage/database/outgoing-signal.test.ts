import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OutgoingSignal } from './outgoing-signal.js';

let random = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  random = 0;
  vi.spyOn(Math, 'random').mockImplementation(() => random);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('calls every listener when it is raised', () => {
  const signal = new OutgoingSignal();
  const called: string[] = [];
  signal.add(() => called.push('first'));
  signal.add(() => called.push('second'));
  signal.raise();
  expect(called).toEqual(['first', 'second']);
});

it.each([
  [0, 750],
  [0.5, 1_000],
  [1, 1_250],
])('polls at three to five quarters of its interval: for the random number %d, after %d ms', (number, ms) => {
  random = number;
  const signal = new OutgoingSignal(1_000);
  let raised = 0;
  signal.add(() => raised++);
  signal.start();
  vi.advanceTimersByTime(ms - 1);
  expect(raised).toBe(0);
  vi.advanceTimersByTime(1);
  expect(raised).toBe(1);
  signal.stop();
});

it('polls again and again until it is stopped, with a new random interval each time', () => {
  const signal = new OutgoingSignal(1_000);
  let raised = 0;
  signal.add(() => raised++);
  signal.start();
  vi.advanceTimersByTime(750);
  vi.advanceTimersByTime(750);
  expect(raised).toBe(2);
  random = 1;
  vi.advanceTimersByTime(750);
  vi.advanceTimersByTime(1_249);
  expect(raised).toBe(3);
  vi.advanceTimersByTime(1);
  expect(raised).toBe(4);
  signal.stop();
  vi.advanceTimersByTime(10_000);
  expect(raised).toBe(4);
  expect(vi.getTimerCount()).toBe(0);
});

it('polls about every five seconds by default', () => {
  random = 0.5;
  const signal = new OutgoingSignal();
  let raised = 0;
  signal.add(() => raised++);
  signal.start();
  vi.advanceTimersByTime(4_999);
  expect(raised).toBe(0);
  vi.advanceTimersByTime(1);
  expect(raised).toBe(1);
  signal.stop();
});

it('continues to poll if a listener throws', () => {
  const signal = new OutgoingSignal(1_000);
  let raised = 0;
  signal.add(() => {
    if (++raised === 1) throw new Error('The first call fails.');
  });
  signal.start();
  expect(() => vi.advanceTimersByTime(750)).toThrow('The first call fails.');
  vi.advanceTimersByTime(750);
  expect(raised).toBe(2);
  signal.stop();
});

it('does not prevent the process from ending', () => {
  vi.useRealTimers();
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const signal = new OutgoingSignal();
  signal.start();
  expect(timers()).toBe(before);
  signal.stop();
});

it('calls no listener after it was stopped', () => {
  const signal = new OutgoingSignal();
  let raised = 0;
  signal.add(() => raised++);
  signal.stop();
  signal.raise();
  expect(raised).toBe(0);
});
