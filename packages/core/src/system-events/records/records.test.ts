/** The records of the specification's Events section: fields, which of them are required, defaults, JSON. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registry } from '../../generated/registry.js';
import { readOrThrow } from '../../json/index.js';
import { auditAttributeOf } from '../audit-attribute.js';

const id = '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d';
const at = '2026-01-31T12:00:00.000Z';
const rebuild = { streamId: id, perspectiveName: 'Orders', mode: 'BlueGreen' };
const item = { streamId: id, migrationKey: 'events' };
const failure = {
  messageId: id,
  messageType: 'a.B',
  errorName: 'Error',
  errorMessage: 'no',
  attempt: 1,
  timestamp: at,
};

const deadLetter = {
  deadLetterId: id,
  messageId: id,
  messageType: 'a.B',
  direction: 'incoming',
  destination: 'a',
  timestamp: at,
};

/** Per record: the fields that are required, and those that are not. */
const records: Record<string, [required: object, optional?: object]> = {
  EventAudited: [
    {
      originalEventType: 'a.B',
      originalStreamId: 's',
      originalStreamPosition: 0,
      originalBody: { a: [1] },
      timestamp: at,
    },
    {
      id,
      originalEventId: id,
      tenantId: 't',
      userId: 'u',
      correlationId: 'c',
      causationId: 'd',
      auditReason: 'r',
      auditLevel: 2,
      scope: { tenantId: 't', userId: null },
    },
  ],
  CommandAudited: [
    { commandType: 'a.B', commandBody: null, timestamp: at },
    {
      id,
      tenantId: 't',
      userId: 'u',
      userName: 'U',
      correlationId: 'c',
      causationId: 'd',
      auditReason: 'r',
      auditLevel: 1,
      receptorName: 'R',
      responseType: 'a.C',
      scope: {},
    },
  ],
  ScopeContextEstablished: [
    { scope: { tenantId: 't' }, roles: ['r'], permissions: ['a:read'], source: 'jwt', timestamp: at },
    { id },
  ],
  PermissionChanged: [
    { userId: 'u', tenantId: 't', changeType: 'RolesAdded', changedBy: 'v', timestamp: at },
    { id, rolesAdded: ['r'], rolesRemoved: [], permissionsAdded: ['a:read'], permissionsRemoved: ['b:write'] },
  ],
  AccessGranted: [
    { resourceType: 'order', usedPermission: 'a:read', accessFilter: 9, scope: {}, timestamp: at },
    { id, resourceId: '1', count: 2 },
  ],
  AccessDenied: [
    {
      resourceType: 'order',
      requiredPermission: 'a:read',
      callerPermissions: [],
      callerRoles: ['r'],
      scope: {},
      reason: 'ScopeViolation',
      timestamp: at,
    },
    { id, resourceId: '1', count: 2 },
  ],
  AuthenticationFailed: [
    { scheme: 'Bearer', timestamp: at },
    { id, count: 2 },
  ],
  PerspectiveRebuildStarted: [{ ...rebuild, totalStreams: 2, startedAt: at }],
  PerspectiveRebuildProgress: [{ ...rebuild, processedStreams: 1, totalStreams: 2, eventsReplayed: 3, startedAt: at }],
  PerspectiveRebuildCompleted: [{ ...rebuild, streamsProcessed: 2, eventsReplayed: 3, duration: 'PT1.5S' }],
  PerspectiveRebuildFailed: [{ ...rebuild, error: 'no', streamsProcessedBeforeFailure: 1, duration: 'PT0S' }],
  PerspectiveRewindStarted: [
    {
      streamId: id,
      perspectiveName: 'Orders',
      triggeringEventId: id,
      replayFromSnapshotEventId: null,
      hasSnapshot: false,
      startedAt: at,
    },
  ],
  PerspectiveRewindCompleted: [
    {
      streamId: id,
      perspectiveName: 'Orders',
      triggeringEventId: id,
      finalEventId: id,
      eventsReplayed: 3,
      startedAt: at,
      completedAt: at,
    },
  ],
  StreamRewindStarted: [{ streamId: id, perspectiveNames: ['Orders'], triggerEventId: id, startedAt: at }],
  StreamRewindCompleted: [
    { streamId: id, perspectiveNames: ['Orders'], totalEventsReplayed: 3, startedAt: at, completedAt: at },
  ],
  MigrationItemStarted: [{ ...item, strategy: 'ColumnCopy', oldHash: null, newHash: 'h' }],
  MigrationItemCompleted: [{ ...item, status: 4, statusDescription: 'd', duration: 'PT1S' }],
  MigrationItemFailed: [{ ...item, status: -1, failureReason: 5, error: 'no', duration: 'PT1S' }],
  MigrationBatchStarted: [{ streamId: id, libraryVersion: '1', totalMigrations: 2, totalPerspectives: 1 }],
  MigrationBatchCompleted: [
    {
      streamId: id,
      libraryVersion: '1',
      results: [{ migrationKey: 'k', status: 3, statusDescription: 'd' }],
      applied: 0,
      updated: 0,
      skipped: 1,
      failed: 0,
      totalDuration: 'PT1S',
    },
  ],
  ReceptorFailed: [
    { ...failure, receptorName: 'R' },
    { id, count: 2, scope: { tenantId: 't' } },
  ],
  PerspectiveFailed: [
    { ...failure, perspectiveName: 'P' },
    { id, scope: {} },
  ],
  LogSealed: [
    { number: 1, size: 3, root: 'aa', keyId: 'k', checkpoint: '{}', timestamp: at },
    { id, predecessor: 'bb' },
  ],
  ReactionFailed: [
    { ...failure, streamId: id, reactionName: 'R' },
    { id, scope: {} },
  ],
  DeadLetterReplayed: [deadLetter, { id, scope: {} }],
  DeadLetterDiscarded: [deadLetter, { id, reason: 'r', scope: {} }],
  OperationStarted: [
    { operationId: id, kind: 'k', arguments: { mode: 'InPlace' }, requestedBy: 'ann', attempt: 1, timestamp: at },
    { id, target: 't' },
  ],
  SubjectErased: [
    {
      subject: 's',
      reason: 'r',
      events: 1,
      snapshots: 0,
      results: 0,
      deadLetters: 0,
      perspectives: ['P'],
      timestamp: at,
    },
    { id, erasedBy: 'ann' },
  ],
  TenantPlaced: [{ tenantId: 'acme', database: 'eu', timestamp: at }, { id }],
  OperationEnded: [
    { operationId: id, kind: 'k', requestedBy: 'ann', outcome: 'failed', timestamp: at },
    { id, target: 't', error: 'no' },
  ],
  MessageDeadLettered: [
    { ...failure, destination: 'd' },
    { id, scope: {} },
  ],
};

const descriptorOf = (name: string) => registry.messages.find(({ type }) => type === `svc.${name}`)!;

it('registers all records under the namespace svc', () => {
  const types = registry.messages.map(({ type }) => type);
  // The events of processes are in the streams of their instances.
  expect(types.filter((type) => !type.startsWith('svc.Process')).toSorted()).toEqual(
    Object.keys(records)
      .map((name) => `svc.${name}`)
      .toSorted(),
  );
});

describe.each(Object.entries(records))('%s', (name, [required, optional = {}]) => {
  const { read, write, class: recordClass, kind } = descriptorOf(name);

  it('is written and read back with all its fields', () => {
    const full = { ...required, ...optional };
    const record = readOrThrow(read, structuredClone(full)) as object;
    expect(record).toBeInstanceOf(recordClass);
    expect(JSON.parse(write(record))).toEqual(full);
  });

  it('requires its required fields and no others', () => {
    const record = readOrThrow(read, structuredClone(required)) as { id?: string; auditLevel?: number };
    if ('id' in optional) expect(record.id).toMatch(/^[0-9a-f-]{36}$/);
    if ('auditLevel' in optional) expect(record.auditLevel).toBe(0);
    for (const key of Object.keys(required)) {
      const { [key as never]: _left, ...rest } = structuredClone(required);
      expect(() => readOrThrow(read, rest)).toThrow(
        expect.objectContaining({ issues: [{ pointer: `/${key}`, detail: 'is required' }] }),
      );
    }
  });

  it('carries the exclusion attribute with a reason', () => {
    expect(auditAttributeOf(recordClass)).toMatchObject({
      exclude: true,
      reason: expect.stringMatching(/./) as string,
    });
  });

  it('implements the marker that the specification gives it', () => {
    expect(kind).toBe(/^(?:Perspective(?:Rebuild|Rewind)|StreamRewind|Migration)/.test(name) ? 'event' : 'systemEvent');
  });
});

describe('docs/reference/events.md', () => {
  const page = readFileSync(new URL('../../../../../docs/reference/events.md', import.meta.url), 'utf8');
  const examples = [...page.matchAll(/^### (\w+)$.*?^```json\n(.*?)^```$/gms)].map(([, name, text]) => [name!, text!]);

  it.each(examples)('has a valid record of %s', (name, text) => {
    const { read, write } = descriptorOf(name);
    const body: unknown = JSON.parse(text);
    expect(JSON.parse(write(readOrThrow(read, structuredClone(body)) as object))).toEqual(body);
  });

  it('has a record of every event', () => {
    expect(new Set(examples.map(([name]) => name))).toEqual(
      new Set(registry.messages.map(({ type }) => type.slice(4))),
    );
  });
});
