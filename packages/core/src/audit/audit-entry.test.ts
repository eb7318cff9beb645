import { expect, it } from 'vitest';
import { registry } from '../generated/registry.js';
import type { StoredRecord } from '../storage/index.js';
import { newId } from '../messages/index.js';
import { entryOf } from './audit-entry.js';

const stream = newId();
const record = (type: string, body: object): StoredRecord => ({
  id: newId(),
  type,
  streamId: stream,
  body: JSON.stringify(body),
  timestamp: 1_700_000_000_123,
  correlationId: stream,
  causationId: null,
  scope: null,
  metadata: {},
  position: 0,
  sequence: 1,
});
const failure = { errorName: 'TypeError', errorMessage: 'no' };
const message = { messageId: newId(), messageType: 'shop.Pay' };
const operation = { operationId: newId(), kind: 'perspectives.rebuild', target: 'Orders', requestedBy: 'olga' };

const succeeded = { kind: 'system', result: 'succeeded', reason: null };
const failed = (reason: string | null): object => ({ kind: 'failure', result: 'failed', reason });

/** Bodies of system events, and what their entries show. */
const cases: readonly (readonly [type: string, body: object, about: string | null, shown: object])[] = [
  [
    'OperationStarted',
    { ...operation, arguments: { reason: 'new column' } },
    'perspectives.rebuild Orders',
    { ...succeeded, reason: 'new column' },
  ],
  ['OperationEnded', { ...operation, outcome: 'done' }, 'perspectives.rebuild Orders', succeeded],
  ['OperationEnded', { ...operation, outcome: 'failed', error: 'full' }, 'perspectives.rebuild Orders', failed('full')],
  ['OperationEnded', { ...operation, target: undefined, outcome: 'cancelled' }, 'perspectives.rebuild', failed(null)],
  ['SubjectErased', { subject: 'customer-1', reason: 'request' }, 'customer-1', { ...succeeded, reason: 'request' }],
  [
    'ReceptorFailed',
    { ...message, ...failure, receptorName: 'PayReceptor' },
    'PayReceptor shop.Pay',
    failed('TypeError: no'),
  ],
  [
    'PerspectiveFailed',
    { ...message, ...failure, perspectiveName: 'Orders' },
    'Orders shop.Pay',
    failed('TypeError: no'),
  ],
  ['ReactionFailed', { ...message, ...failure, reactionName: 'Mail' }, 'Mail shop.Pay', failed('TypeError: no')],
  ['MessageDeadLettered', { ...message, ...failure, destination: 'bank' }, 'shop.Pay', failed('TypeError: no')],
  [
    'DeadLetterReplayed',
    { ...message, deadLetterId: 'd1', reason: 'fixed' },
    'shop.Pay d1',
    { ...succeeded, reason: 'fixed' },
  ],
  ['DeadLetterDiscarded', { ...message, deadLetterId: 'd1' }, 'shop.Pay d1', succeeded],
  ['MigrationItemStarted', { migrationKey: 'perspective/Orders' }, 'perspective/Orders', succeeded],
  ['MigrationItemCompleted', { migrationKey: 'perspective/Orders' }, 'perspective/Orders', succeeded],
  [
    'MigrationItemFailed',
    { migrationKey: 'perspective/Orders', error: 'timeout' },
    'perspective/Orders',
    failed('timeout'),
  ],
  ['MigrationBatchStarted', { libraryVersion: '0.1.0' }, '0.1.0', succeeded],
  ['MigrationBatchCompleted', { libraryVersion: '0.1.0' }, '0.1.0', succeeded],
  ['PerspectiveRebuildStarted', { perspectiveName: 'Orders' }, 'Orders', succeeded],
  ['PerspectiveRebuildProgress', { perspectiveName: 'Orders' }, 'Orders', succeeded],
  ['PerspectiveRebuildCompleted', { perspectiveName: 'Orders' }, 'Orders', succeeded],
  ['PerspectiveRebuildFailed', { perspectiveName: 'Orders', error: 'full' }, 'Orders', failed('full')],
  ['PerspectiveRewindStarted', { perspectiveName: 'Orders' }, 'Orders', succeeded],
  ['PerspectiveRewindCompleted', { perspectiveName: 'Orders' }, 'Orders', succeeded],
  ['StreamRewindStarted', { perspectiveNames: ['Orders', 'Customers'] }, 'Orders Customers', succeeded],
  ['StreamRewindCompleted', { perspectiveNames: ['Orders'] }, 'Orders', succeeded],
  ['LogSealed', { number: 7, size: 900 }, '7', succeeded],
  ['TenantPlaced', { tenantId: 'north', database: 'eu' }, 'north eu', succeeded],
  ['TenantPlaced', { tenantId: '', database: 'eu' }, 'eu', succeeded],
  ['ScopeContextEstablished', { source: 'jwt' }, 'jwt', succeeded],
  ['PermissionChanged', { userId: 'ann', tenantId: 'north' }, 'ann north', succeeded],
  ['AccessGranted', { resourceType: 'order' }, null, { kind: 'grant', result: 'granted', resourceType: 'order' }],
  [
    'AccessDenied',
    { resourceType: 'order', reason: 'ScopeViolation' },
    null,
    { kind: 'denial', result: 'denied', reason: 'ScopeViolation' },
  ],
  ['AuthenticationFailed', { scheme: 'Bearer' }, 'Bearer', { kind: 'denial', result: 'denied', reason: null }],
  [
    'EventAudited',
    {
      originalEventType: 'shop.Paid',
      originalStreamId: stream,
      originalStreamPosition: 2,
      originalBody: { reason: 'late' },
    },
    null,
    { kind: 'event', type: 'shop.Paid', streamId: stream, position: 2, reason: 'late' },
  ],
  [
    'CommandAudited',
    { commandType: 'shop.Pay', commandBody: { reason: 'late', kind: 'card' } },
    null,
    { kind: 'command', type: 'shop.Pay', reason: 'late' },
  ],
];

it.each(cases)('shows what %s with %j is about', (type, body, about, shown) => {
  expect(entryOf(record(`svc.${type}`, body))).toMatchObject({ about, ...shown });
});

it('shows every system event', () => {
  // Events of processes have streams of their own.
  const stored = registry.messages.map(({ type }) => type).filter((type) => !type.startsWith('svc.Process'));
  const shown = new Set(cases.map(([type]) => `svc.${type}`));
  expect(stored.filter((type) => type.startsWith('svc.') && !shown.has(type))).toEqual([]);
});
