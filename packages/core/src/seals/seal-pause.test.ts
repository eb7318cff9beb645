import { expect, it } from 'vitest';
import { SealPause } from './seal-pause.js';

it('waits for half of the time, or until some of the events of a seal are there', () => {
  let now = 0;
  const pause = new SealPause(1_000, () => now);
  const after = (ms: number, events: number): number => {
    now += ms;
    return pause.after(events);
  };
  expect(after(500, 0), 'nothing to seal').toBe(500);
  expect(after(500, 100), 'few events').toBe(500);
  expect(after(500, 1_000), 'as many as are collected').toBe(500);
  expect(after(500, 2_000), 'twice as many').toBe(250);
  expect(after(250, 2_000), 'four times as many').toBe(125);
  expect(after(125, 100), 'few again').toBe(500);
});
