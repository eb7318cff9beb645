import { describe, expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import type { AppliedEvent, Perspective } from '../perspectives/index.js';
import { given } from './index.js';

class Placed {
  constructor(readonly note: string) {}
}
interface Order {
  notes: string[];
  at: Date;
}

class OrderPerspective implements Perspective<Order, Placed> {
  apply(order: Order | null, { note }: Placed, { timestamp }: AppliedEvent): Order | null {
    return note === 'remove' ? null : { notes: [...(order?.notes ?? []), note], at: timestamp };
  }
}

class CarelessPerspective implements Perspective<Order, Placed> {
  apply(order: Order | null, { note }: Placed, { timestamp }: AppliedEvent): Order {
    order?.notes.push(note);
    return order ?? { notes: [note], at: timestamp };
  }
}

class ClockPerspective implements Perspective<Order, Placed> {
  apply(): Order {
    return { notes: [], at: new Date() };
  }
}

class NotePerspective implements Perspective<{ count: number }, Placed> {
  keyOf({ note }: Placed): string | null {
    return note === '' ? null : note;
  }
  apply(model: { count: number } | null): { count: number } {
    return { count: (model?.count ?? 0) + 1 };
  }
}

describe('given', () => {
  it('returns the model that events build', () => {
    const test = given(new OrderPerspective(), new Placed('a')).when(new Placed('b'));
    expect(test.model()).toEqual({ notes: ['a', 'b'], at: new Date('2026-01-01T00:01:00Z') });
    expect(test.when(new Placed('remove')).model()).toBeNull();
    expect(given(new OrderPerspective()).model()).toBeNull();
  });

  it('accepts streams and times of the test', () => {
    const [streamId, timestamp] = [newId(), new Date('2026-05-05T05:05:05Z')];
    const test = given(new OrderPerspective(), { event: new Placed('a'), streamId, timestamp });
    expect(test.model()).toBeNull();
    expect(test.model(streamId)).toEqual({ notes: ['a'], at: timestamp });
  });

  it('returns all models by key', () => {
    const events = ['x', 'y', '', 'x'].map((note) => new Placed(note));
    expect([...given(new NotePerspective(), ...events).models()]).toEqual([
      ['x', { count: 2 }],
      ['y', { count: 1 }],
    ]);
  });

  it('separates the models of tenants, as a service does', () => {
    const of = (tenantId: string, note: string) => ({ event: new Placed(note), scope: { tenantId } });
    const test = given(new NotePerspective(), of('acme', 'x'), of('evil', 'x'), of('acme', 'x'));
    expect([test.model('x', 'acme'), test.model('x', 'evil')]).toEqual([{ count: 2 }, { count: 1 }]);
    expect(() => test.models()).toThrow("The events belong to 2 tenants. Name one of them: models('acme').");
    expect(given(new NotePerspective(), of('acme', 'x')).model('x')).toEqual({ count: 1 });
  });

  it('fails if a perspective changes the model it receives', () => {
    expect(() => given(new CarelessPerspective(), new Placed('a'), new Placed('b')).model()).toThrow(TypeError);
  });

  it('fails if a perspective depends on more than its events', () => {
    expect(() => given(new ClockPerspective(), new Placed('a')).requirePure()).toThrow('ClockPerspective is not pure');
    expect(given(new OrderPerspective(), new Placed('a')).requirePure().model()?.notes).toEqual(['a']);
  });
});
