/** One record of each system event, as it is stored. tests/documentation/reference.test.ts reads each of them with the reader of its class. */
const id = '01a1dd3a-c9f2-7e0b-8a8e-5d2f6b7c8d9e';
const order = '01a1dd3a-a446-70f9-b1d2-b0457502d0c7';
const event = '01a1dd3a-c9f1-7e0b-8a8e-5d2f6b7c8d9e';
const command = '01a1dd3a-c9f0-7c44-9ad1-b40618bf4796';
const run = '01a1dd3a-b926-73c9-979e-982cc1dd6270';
const timestamp = '2026-01-15T09:30:12.345Z';
const startedAt = '2026-01-15T09:30:12.000Z';
const caller = {
  userId: 'bob',
  tenantId: 'acme',
  userName: 'Bob Ray',
  roles: 'clerk',
  permissions: 'orders:write',
  source: 'jwt',
};
const scope = { tenantId: 'acme', userId: 'bob' };
const rebuild = { streamId: run, perspectiveName: 'OrderSummaryPerspective', mode: 'BlueGreen' };
const failure = { errorName: 'TypeError', errorMessage: 'Cannot read properties of null.', attempt: 1 };
const letter = {
  id,
  deadLetterId: '01a1dd3a-9c1f-7a3e-8b52-6f0f6a2b4c5d',
  messageId: event,
  messageType: 'orders.OrderCancelled',
  direction: 'incoming',
  destination: 'orders',
};

const audit = {
  EventAudited: {
    id,
    originalEventId: event,
    originalEventType: 'orders.OrderCancelled',
    originalStreamId: order,
    originalStreamPosition: 2,
    originalBody: { orderId: order, reason: 'The customer called.' },
    timestamp,
    tenantId: 'acme',
    userId: 'bob',
    correlationId: command,
    causationId: command,
    auditReason: 'Cancellations are reviewed.',
    auditLevel: 1,
    scope: caller,
  },
  CommandAudited: {
    id,
    commandType: 'orders.CancelOrder',
    commandBody: { orderId: order, reason: 'The customer called.' },
    timestamp,
    tenantId: 'acme',
    userId: 'bob',
    userName: 'Bob Ray',
    correlationId: command,
    auditLevel: 0,
    receptorName: 'CancelOrderReceptor',
    scope: caller,
  },
};

const security = {
  ScopeContextEstablished: { id, scope, roles: ['clerk'], permissions: ['orders:write'], source: 'jwt', timestamp },
  PermissionChanged: {
    id,
    userId: 'bob',
    tenantId: 'acme',
    changeType: 'RolesAdded',
    rolesAdded: ['auditor'],
    changedBy: 'ann',
    timestamp,
  },
  AccessGranted: {
    id,
    resourceType: 'audit',
    resourceId: order,
    usedPermission: 'system:read',
    accessFilter: 1,
    scope,
    timestamp,
  },
  AccessDenied: {
    id,
    resourceType: 'command',
    resourceId: 'orders.CancelOrder',
    requiredPermission: 'orders:write',
    callerPermissions: ['orders:read', 'system:read'],
    callerRoles: ['auditor'],
    scope,
    reason: 'InsufficientPermission',
    count: 12,
    timestamp,
  },
  AuthenticationFailed: { id, scheme: 'Bearer', timestamp },
};

const errors = {
  ReceptorFailed: {
    id,
    messageId: command,
    messageType: 'orders.CancelOrder',
    receptorName: 'CancelOrderReceptor',
    ...failure,
    scope: caller,
    timestamp,
  },
  PerspectiveFailed: {
    id,
    messageId: event,
    messageType: 'orders.OrderCancelled',
    perspectiveName: 'OrderSummaryPerspective',
    ...failure,
    scope: caller,
    timestamp,
  },
  ReactionFailed: {
    id,
    messageId: event,
    messageType: 'orders.OrderCancelled',
    streamId: order,
    reactionName: 'RefundPayment',
    ...failure,
    attempt: 10,
    scope: caller,
    timestamp,
  },
  MessageDeadLettered: {
    id,
    messageId: event,
    messageType: 'orders.OrderCancelled',
    destination: 'orders',
    cause: 'ClockAhead',
    origin: 'billing',
    errorName: 'MessageRejectedError',
    errorMessage: 'The id of the message is 900 s ahead of the clock of the database.',
    attempt: 1,
    timestamp,
  },
  DeadLetterReplayed: { ...letter, scope, timestamp },
  DeadLetterDiscarded: { ...letter, reason: 'Sent twice by mistake.', scope, timestamp },
};

const perspectives = {
  PerspectiveRebuildStarted: { ...rebuild, totalStreams: 1200, startedAt },
  PerspectiveRebuildProgress: {
    ...rebuild,
    processedStreams: 600,
    totalStreams: 1200,
    eventsReplayed: 2400,
    startedAt,
  },
  PerspectiveRebuildCompleted: { ...rebuild, streamsProcessed: 1200, eventsReplayed: 4800, duration: 'PT1.5S' },
  PerspectiveRebuildFailed: {
    ...rebuild,
    error: 'The rebuild was cancelled.',
    streamsProcessedBeforeFailure: 600,
    duration: 'PT0.7S',
  },
  PerspectiveRewindStarted: {
    streamId: order,
    perspectiveName: 'OrderSummaryPerspective',
    triggeringEventId: event,
    replayFromSnapshotEventId: null,
    hasSnapshot: false,
    startedAt,
  },
  PerspectiveRewindCompleted: {
    streamId: order,
    perspectiveName: 'OrderSummaryPerspective',
    triggeringEventId: event,
    finalEventId: id,
    eventsReplayed: 3,
    startedAt,
    completedAt: timestamp,
  },
  StreamRewindStarted: {
    streamId: order,
    perspectiveNames: ['OrderSummaryPerspective'],
    triggerEventId: event,
    startedAt,
  },
  StreamRewindCompleted: {
    streamId: order,
    perspectiveNames: ['OrderSummaryPerspective'],
    totalEventsReplayed: 3,
    startedAt,
    completedAt: timestamp,
  },
};

const item = { streamId: run, migrationKey: 'infrastructure/events' };
const migrations = {
  MigrationItemStarted: {
    ...item,
    strategy: 'DirectDdl',
    oldHash: null,
    newHash: 'sha256:cfb0067a4a917ec7f8ca019f9a967dbd1380dbc95e4799c398aca38bfbe95088',
  },
  MigrationItemCompleted: {
    ...item,
    status: 1,
    statusDescription: 'Applied for the first time.',
    duration: 'PT0.03S',
  },
  MigrationItemFailed: {
    ...item,
    status: -1,
    failureReason: 2,
    error: 'The lock was not available within 30 s.',
    duration: 'PT30S',
  },
  MigrationBatchStarted: { streamId: run, libraryVersion: '0.1.0', totalMigrations: 17, totalPerspectives: 3 },
  MigrationBatchCompleted: {
    streamId: run,
    libraryVersion: '0.1.0',
    results: [{ migrationKey: 'infrastructure/events', status: 1, statusDescription: 'Applied for the first time.' }],
    applied: 1,
    updated: 0,
    skipped: 0,
    failed: 0,
    totalDuration: 'PT0.2S',
  },
};

const operation = { id, operationId: run, kind: 'perspectives.rebuild', target: 'OrderSummaryPerspective' };
const others = {
  OperationStarted: { ...operation, arguments: { mode: 'BlueGreen' }, requestedBy: 'olga', attempt: 1, timestamp },
  OperationEnded: { ...operation, requestedBy: 'olga', outcome: 'done', timestamp },
  SubjectErased: {
    id,
    subject: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',
    reason: 'Request 4711.',
    erasedBy: 'olga',
    events: 12,
    snapshots: 1,
    results: 0,
    deadLetters: 0,
    perspectives: ['OrderSummaryPerspective'],
    timestamp,
  },
  LogSealed: {
    id,
    number: 2,
    size: 42,
    root: 'cd2c8c75439279b066aaaf445c1c79efb28c8cc7a7de6417017ada6d414bf77f',
    predecessor: '1f65fd6e410b31d8036686a9f5a60c285a38f2c7d4c4f30822cb2ddce26cf42d',
    keyId: '5f4f3a11e75ab5d8',
    checkpoint: '{"format":"svc-checkpoint/1","number":2,"size":42}',
    timestamp,
  },
  TenantPlaced: { id, tenantId: 'acme', database: 'eu', timestamp },
};

const instance = { process: 'Checkout', key: order };
const processes = {
  ProcessAdvanced: {
    ...instance,
    eventId: event,
    eventType: 'orders.OrderPlaced',
    actions: [{ kind: 'sent', type: 'payments.ChargeCard' }],
  },
  ProcessCompleted: instance,
  ProcessEventIgnored: { ...instance, eventId: event, eventType: 'orders.OrderPaid' },
};

/** The body of a record of each event, by the name of its class. */
export const eventExamples = {
  ...audit,
  ...security,
  ...errors,
  ...perspectives,
  ...migrations,
  ...processes,
  ...others,
};
