/** Each invariant fails where svc has a defect: without that, a simulation that finds nothing would say nothing. */
import { expect, it } from 'vitest';
import { invariants, loadProgram, planOf, run } from '../../tools/simulation/index.mjs';

interface Defect {
  readonly invariant: string;
  /** A seed that found it when this was written: the search starts there. */
  readonly from: number;
  readonly what: string;
  readonly file: string;
  /** Replaced by `by`. */
  readonly code: string;
  readonly by: string;
}

const mostSeeds = 40;

const defects: readonly Defect[] = [
  {
    invariant: 'acknowledged requests are stored once',
    from: 4,
    what: 'an idempotency key is not stored with its command',
    file: 'dispatch/idempotency-claim.ts',
    code: 'this.#isTaken = this.#reached = true;\n    return this;',
    by: 'this.#isTaken = this.#reached = true;\n    return undefined;',
  },
  {
    invariant: 'audit records match events',
    from: 1,
    what: 'events of one type are not audited',
    file: 'system-events/auditing-event-store-decorator.ts',
    code: 'if (attribute !== null)',
    by: "if (attribute !== null && envelope.type !== 'bank.Booked')",
  },
  {
    invariant: 'streams are in order',
    from: 4,
    what: 'events get ids below those before them',
    file: 'storage/log/event-log.ts',
    code: 'if (!isOrdered(committed)) return this.#renew(committed, new Map(), observer, onFailure, 0);',
    by: '',
  },
  {
    invariant: 'decisions see all events',
    from: 8,
    what: 'a decision does not expect the position that it has read',
    file: 'dispatch/read-positions.ts',
    code: 'return dependent.has(event) ? { ...event, expectedPosition } : event;',
    by: 'return event;',
  },
  {
    invariant: 'models equal the causal fold',
    from: 3,
    what: 'late events are applied last',
    file: 'perspectives/apply/fold-order.ts',
    code: 'return envelope.id < latest && isReceived(envelope);',
    by: 'return envelope.id === latest && isReceived(envelope);',
  },
  {
    invariant: 'effects happen once',
    from: 153,
    what: 'received commands are not remembered',
    file: 'transport/receiving-commands.ts',
    code: '{ received: [message.id] }',
    by: '{ received: [] }',
  },
  {
    invariant: 'processes and schedules do what their events say',
    from: 6,
    what: 'a scheduled command is not cancelled',
    file: 'dispatch/pending-schedules.ts',
    code: 'this.#cancelled.set(text, key);',
    by: '',
  },
  {
    invariant: 'rewinds and rebuilds are reported in order',
    from: 3,
    what: 'each perspective starts the rewind of a stream',
    file: 'perspectives/apply/stream-rewinds.ts',
    code: 'if (known === undefined) {',
    by: 'if (known !== null) {',
  },
  {
    invariant: 'tenants never mix',
    from: 1,
    what: 'models of several tenants have the same id',
    file: 'perspectives/model-owner.ts',
    code: 'return this.#names.length === 0 ? key : modelIdOf(key, owner);',
    by: 'return owner === null ? modelIdOf(key, owner) : key;',
  },
  {
    invariant: 'messages are settled once',
    from: 29,
    what: 'the storage accepts the same delivery twice',
    file: 'storage/memory/in-memory-storage.ts',
    code: 'delivered?.ids.find((id) => !this.#outbox[delivered.lane].has(id)) ??',
    by: '',
  },
  {
    invariant: 'quiescence',
    from: 3,
    what: 'a worker does not continue after a failure',
    file: 'background/retry-delay.ts',
    code: 'const ms = this.nextMs();',
    by: 'const ms = 1_000_000_000 + this.nextMs();',
  },
  {
    invariant: 'no internal errors',
    from: 3,
    what: 'a worker uses a value that is not there',
    file: 'reactions/followed-reaction.ts',
    code: 'if (!this.#nextRetry.isDue()) return;',
    by: 'if (!this.#nextRetry.isDue()) return;\n    (undefined as unknown as { missing: object }).missing.toString();',
  },
];

it('has a defect for each invariant', () => {
  expect(defects.map(({ invariant }) => invariant)).toEqual(invariants);
});

it.each(defects)(
  '"$invariant" fails when $what',
  async ({ invariant, from, file, code, by }) => {
    const edit = (text: string): string => {
      expect(text, `${file} has changed: adapt the defect`).toContain(code);
      return text.replace(code, () => by);
    };
    const program = await loadProgram({ changes: [{ file, edit }] });
    const found = new Set<string>();
    for (let seed = from; !found.has(invariant) && seed < from + mostSeeds; seed++) {
      for (const violation of (await run(program, planOf(seed))).violations) found.add(violation.invariant);
    }
    expect([...found]).toContain(invariant);
  },
  120_000,
);
