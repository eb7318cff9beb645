import { describe, expect, it } from 'vitest';
import type { PlannedItem } from './plan.js';
import { isOfTable, requireRights, requireRightsToRollBack } from './required-rights.js';

const planned = (kind: 'sql' | 'table', key: string, action: PlannedItem['action']) =>
  ({ item: { kind, key }, action }) as unknown as PlannedItem;
const events = planned('sql', 'infrastructure/events', 'skip');
const newInbox = planned('sql', 'infrastructure/inbox', 'apply');
const changedOutbox = planned('sql', 'infrastructure/outbox', 'refuse');
const newOrders = planned('table', 'perspective/Orders', 'apply');
const oldNotes = planned('table', 'perspective/Notes', 'skip');

it('only perspectives are tables', () => {
  expect([events, newOrders, newInbox, oldNotes].map(isOfTable)).toEqual([false, true, false, true]);
});

describe('the only role', () => {
  it('may change everything', () => {
    expect(() => requireRights([newInbox, changedOutbox, newOrders], 'everything')).not.toThrow();
    expect(() => requireRightsToRollBack('perspective/Orders', 'everything')).not.toThrow();
  });
});

describe('the runtime role', () => {
  it('may change perspectives and start on infrastructure that is up to date', () => {
    expect(() => requireRights([events, newOrders, oldNotes], 'perspectives')).not.toThrow();
    expect(() => requireRightsToRollBack('perspective/Orders', 'perspectives')).not.toThrow();
  });

  it('does not start if infrastructure must be changed, and the error names all of it', () => {
    expect(() => requireRights([events, newInbox, changedOutbox, newOrders], 'perspectives')).toThrow(
      expect.objectContaining({
        code: 'SVC_SCHEMA_OUTDATED',
        message: expect.stringContaining('(infrastructure/inbox, infrastructure/outbox)') as string,
      }),
    );
  });
});

describe('the owner', () => {
  it('may change the infrastructure', () => {
    expect(() => requireRights([events, newInbox, changedOutbox], 'infrastructure')).not.toThrow();
  });

  it.each([newOrders, oldNotes])('does not start with a perspective, even if that is up to date', (perspective) => {
    expect(() => requireRights([events, perspective], 'infrastructure')).toThrow(
      expect.objectContaining({
        code: 'SVC_DATABASE_ROLE',
        message: expect.stringContaining('Cannot start a service') as string,
      }),
    );
  });

  it('may not roll back a table of the runtime role', () => {
    expect(() => requireRightsToRollBack('perspective/Orders', 'infrastructure')).toThrow(
      expect.objectContaining({
        code: 'SVC_DATABASE_ROLE',
        message: expect.stringContaining('Cannot roll back perspective/Orders') as string,
      }),
    );
  });
});
