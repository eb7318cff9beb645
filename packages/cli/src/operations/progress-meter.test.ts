import { expect, it } from 'vitest';
import { ProgressMeter, progressText } from './progress-meter.js';

const at = (done: number, events: number) => ({ unit: 'streams', done, total: 4_000, events }) as const;

it('shows a bar, the figures, the rate since its first line, and the remaining time', () => {
  const meter = new ProgressMeter();
  const line = (done: number, seconds: number): string => meter.line(at(done, done * 5), seconds * 1_000);
  expect(line(1_000, 0)).toBe('[######..................]  25 %  1,000 of 4,000 streams  5,000 events');
  expect(line(2_000, 10)).toBe(
    '[############............]  50 %  2,000 of 4,000 streams  10,000 events  500 events/s  0:20 left',
  );
  expect(line(2_000, 5_000)).toContain('2:46:40 left');
  expect(line(4_000, 30)).toMatch(/^\[#{24}\] 100 % .* 0:00 left$/);
});

it('restarts the measurement when another host starts the operation again', () => {
  const meter = new ProgressMeter();
  meter.line(at(1_000, 1_000), 0);
  expect(meter.line(at(0, 0), 60_000)).not.toContain('left');
  expect(meter.line(at(2_000, 2_000), 70_000)).toContain('200 events/s  0:10 left');
});

it('shows an operation without events and with a total of zero', () => {
  const meter = new ProgressMeter();
  expect(meter.line({ unit: 'dead letters', done: 0, total: 0 }, 0)).toBe(
    '[........................]   0 %  0 of 0 dead letters',
  );
});

it('shows a single unit in the singular', () => {
  expect(progressText({ unit: 'streams', done: 0, total: 1 })).toBe('0 of 1 stream');
  expect(progressText({ unit: 'dead letters', done: 1, total: 1 })).toBe('1 of 1 dead letter');
});
