/** What happens in random histories. */
import { RebuildMode } from '@svc/core';
import fc from 'fast-check';

const hour = 3_600_000;

/** Up to an hour, and often so little that clocks overtake each other. */
const skew = fc.oneof(
  fc.integer({ min: -hour, max: hour }),
  fc.integer({ min: -200, max: 200 }),
  fc.constantFrom(-hour, 0, hour),
);

const host = fc.nat({ max: 2 });
const where = { host, stream: fc.nat({ max: 2 }), ledger: fc.nat({ max: 1 }) };

/** `sees`: what is read before the event is appended, and so may have caused it. */
const appended = {
  ...where,
  sees: fc.constantFrom(
    'nothing' as const,
    'stream' as const,
    'streams' as const,
    'stream model' as const,
    'ledger model' as const,
    'ledger models' as const,
    'answered event' as const,
  ),
  /** Which answered event; 0: the last one. */
  which: fc.nat({ max: 5 }),
};
const append = fc.record({ kind: fc.constant('append' as const), ...appended });
export type Append = Omit<typeof append extends fc.Arbitrary<infer T> ? T : never, 'kind' | 'which'> & {
  readonly which?: number;
};

const step = fc.oneof(
  { weight: 12, arbitrary: append },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('concurrently' as const),
      appends: fc.array(append, { minLength: 2, maxLength: 8, size: 'max' }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('clock' as const), host, skewMs: skew }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cut' as const), database: fc.nat({ max: 1 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('connect' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('check' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('exchange' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('burst' as const), ...where }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), host, skewMs: skew }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rebuild' as const),
      host,
      mode: fc.constantFrom(...Object.values(RebuildMode)),
      waits: fc.boolean(),
    }),
  },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** How wrong the clock of each host is at first. */
export const skews = fc.array(skew, { minLength: 3, maxLength: 3 });

export const steps = fc.array(step, { minLength: 8, maxLength: 20, size: 'max' });
