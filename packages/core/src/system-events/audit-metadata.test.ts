import { expect, it } from 'vitest';
import type { MessageContext } from '../dispatch/index.js';
import { auditNotesOf, noteForAudit } from './audit-metadata.js';

const contextWith = (metadata: Map<string, unknown>): MessageContext => ({ metadata }) as unknown as MessageContext;

it('collects the facts that were added for the audit, and no other metadata', () => {
  const context = contextWith(new Map([['Secret', 'x']]));
  noteForAudit(context, 'approvedBy', 'bob');
  noteForAudit(context, 'amount', 5);
  noteForAudit(context, 'amount', 7);
  expect(auditNotesOf(context)).toEqual({ approvedBy: 'bob', amount: 7 });
});

it('has no facts if none were added, or without a context', () => {
  expect([auditNotesOf(contextWith(new Map())), auditNotesOf(undefined)]).toEqual([{}, {}]);
});
