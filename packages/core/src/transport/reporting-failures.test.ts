import { expect, it } from 'vitest';
import { reportingFailures } from './reporting-failures.js';
import type { UnprocessableMessage } from './transport.js';

it('reports the first of consecutive failures, throws each, and reports again after a success', async () => {
  const left: readonly UnprocessableMessage[] = [];
  const outcomes: (Error | null)[] = [new Error('1'), new Error('2'), null, new Error('3'), new Error('4')];
  const reports: unknown[] = [];
  const receive = reportingFailures(
    () => {
      const outcome = outcomes.shift()!;
      return outcome === null ? Promise.resolve(left) : Promise.reject(outcome);
    },
    (error) => reports.push(error),
  );
  await expect(receive([])).rejects.toThrow('1');
  await expect(receive([])).rejects.toThrow('2');
  expect(await receive([])).toBe(left);
  await expect(receive([])).rejects.toThrow('3');
  await expect(receive([])).rejects.toThrow('4');
  expect(reports).toEqual([new Error('1'), new Error('3')]);
});
