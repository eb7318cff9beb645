import { newId } from '@svc/core';
import { type StoredRecord } from '@svc/core/storage';
import { describe, expect, it } from 'vitest';
import { checkLog, Ledger } from '../../tools/fuzz/index.mjs';

type Part = Partial<StoredRecord> & { type: string };

/** The log of one command of a user that appended one event, as the service writes it. */
function commandOf(userId: string, tenantId = 'acme', streamId = newId()): { event: Part; audit: Part; command: Part } {
  const correlationId = newId();
  const scope = { userId, tenantId };
  const id = newId();
  return {
    event: { type: 'orders.OrderPlaced', id, streamId, correlationId, causationId: correlationId, scope },
    audit: { type: 'svc.EventAudited', correlationId, causationId: id, scope, body: '{}' },
    command: { type: 'svc.CommandAudited', correlationId, causationId: correlationId, scope, body: '{}' },
  };
}

function answered(...answers: [userId: string, commands: number, lastEvent?: string | undefined][]): Ledger {
  const ledger = new Ledger();
  for (const [number, [userId, commands, lastEvent]] of answers.entries()) {
    ledger.answered({ number, caller: { userId, tenant: null } }, commands, lastEvent);
  }
  return ledger;
}

async function wrongIn(records: readonly Part[], ledger: Ledger): Promise<readonly string[]> {
  return (await checkLog(records as StoredRecord[], ledger)).wrong;
}

describe('a log', () => {
  const { event, audit, command } = commandOf('ann');
  const whole = [event, audit, command];

  it('is correct if it has every answered command once', async () => {
    const nested = { ...command, causationId: newId() };
    const ledger = answered(['ann', 1, event.id], ['ben', 0]);
    expect(await checkLog([...whole, nested] as StoredRecord[], ledger)).toEqual({ wrong: [], commands: 1, events: 1 });
  });

  it('may have more than was answered to a caller whose answer was lost', async () => {
    const ledger = answered(['ann', 0]);
    ledger.lost({ caller: { userId: 'ann', tenant: null } });
    expect(await wrongIn(whole, ledger)).toEqual([]);
    ledger.answered({ number: 9, caller: { userId: 'ann', tenant: null } }, 2);
    expect(await wrongIn(whole, ledger)).toEqual([expect.stringContaining('ann: 2 answered, 1 audited')]);
  });

  it.each<[string, readonly Part[], Ledger, RegExp]>([
    ['a command that was not answered', whole, answered(['ann', 0]), /ann: 0 answered, 1 audited/],
    ['no command that was answered', whole, answered(['ann', 2]), /ann: 2 answered, 1 audited/],
    ['a command twice', [...whole, command], answered(['ann', 1]), /a command is audited twice/],
    ['an event without an audit record', [event, command], answered(['ann', 1]), /an event has no audit record/],
    ['an audit record twice', [...whole, audit], answered(['ann', 1]), /an event is audited twice/],
    ['an event without a command', [event, audit], answered(), /events belong to no audited command/],
    ['no event that was named', whole, answered(['ann', 1, newId()]), /named is not in the log/],
    ['the event of another user', whole, answered(['ann', 1], ['ben', 0, event.id]), /named the event of another user/],
    ['a failure of the service', [{ type: 'svc.PerspectiveFailed', body: '{}' }], answered(), /an internal failure/],
  ])('is wrong when it has %s', async (_name, records, ledger, text) => {
    expect(await wrongIn(records, ledger)).toContainEqual(expect.stringMatching(text));
  });

  it('is wrong when a stream has events of two tenants', async () => {
    const other = commandOf('eve', 'evil', event.streamId);
    const records = [...whole, other.event, other.audit, other.command];
    expect(await wrongIn(records, answered(['ann', 1], ['eve', 1]))).toEqual([
      expect.stringContaining('a stream has events of two tenants'),
    ]);
  });
});
