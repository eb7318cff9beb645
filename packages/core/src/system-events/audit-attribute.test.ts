import { expect, it } from 'vitest';
import { auditAttributeOf, auditEvent } from './audit-attribute.js';

class Payment {}
class CardPayment extends Payment {}
class Refund extends CardPayment {}
auditEvent({ reason: 'Money moves.' })(Payment);
auditEvent({ exclude: true })(Refund);

it('is that of the class, or of its nearest base class', () => {
  expect([Payment, CardPayment, Refund].map(auditAttributeOf)).toEqual([
    { reason: 'Money moves.' },
    { reason: 'Money moves.' },
    { exclude: true },
  ]);
});

it('is null for a class that is not marked', () => {
  expect(auditAttributeOf(class {})).toBeNull();
});
