/** What a host, such as an HTTP server or the command line, implements and receives, and what a program that starts one uses. */
export {
  boundedIssues,
  boundedText,
  commandFailures,
  failureByCode,
  loggedError,
  noteTraceOf,
  scrubbedText,
  traceOfError,
  type CommandFailure,
} from '../errors/index.js';
export { libraryVersion } from '../migrations/index.js';
export { type ResultOf } from '../messages/index.js';
export {
  grantWithoutPermission,
  isGranted,
  isPermission,
  PlaintextRejectedError,
  plaintextText,
  runAs,
  scopeCondition,
} from '../security/index.js';
export { AccessControl, type Gate, type ResourceMetadata } from '../access/index.js';
export { provenanceOf, type ShownModel } from '../administration/index.js';
export {
  AuditFollower,
  auditGate,
  auditPageBounds,
  AuditReader,
  readAuditQuery,
  requireAuditQuery,
  type AuditEntry,
  type AuditNode,
  type AuditPage,
  type AuditQuery,
} from '../audit/index.js';
export {
  mostAlternatives,
  pageBounds,
  PerspectiveQuery,
  type LiveModel,
  type LiveStep,
  type LiveUpsert,
  type LiveWatch,
  readEventWait,
  readPage,
  readStoredModel,
  waitBounds,
  type EventWait,
  type FilterText,
  type ListRequest,
  type PageNumbers,
  type PerspectiveAccess,
  perspectiveHolders,
  perspectiveLanes,
} from '../perspectives/index.js';
export {
  hasEnded,
  listed,
  MeasuredStandings,
  mostCounted,
  readInstances,
  readReactions,
  readSchedule,
  type PerspectiveLag,
  type PerspectiveState,
  type ReactionState,
  type SegmentState,
} from '../administration/index.js';
export { readInstanceSteps, type InstanceStep } from '../processes/index.js';
export {
  checkProof,
  exportLog,
  proveEvent,
  publicSealKey,
  readAnchorFile,
  sealedLogOf,
  verifyExport,
  verifySeals,
  type AnchoredCheckpoint,
  type CheckedProof,
  type CheckpointAnchor,
  type ExportedFile,
  type PublicSealKey,
  type Verification,
  type VerifyOptions,
} from '../seals/index.js';
export {
  OperationKind,
  OperatorActionKind,
  recordedAction,
  type DiscardResult,
  type EraseResult,
  type OperationProgress,
  type OperatorAction,
  type RebuildArguments,
  type ReplayResult,
  type RetryResult,
} from '../operations/index.js';
export {
  commandGate,
  perspectiveMigrations,
  queuedMigrationEvents,
  systemEmitter,
  type AddedReaction,
  type GraphQLDescription,
  type IdempotentRequests,
  type KeyedRequest,
  type LiveStepKind,
  type LiveTelemetry,
  type PathParameters,
  type ReadyEndpoint,
  type Reporter,
  type ServiceMessages,
  type Telemetry,
} from '../hosting/index.js';
export { CommandRequest, isRecurringKey, type InvokeOptions, type RunReaction } from '../dispatch/index.js';
export { type Overview, type OverviewHost, type OverviewSeals } from '../administration/index.js';
export { type HealthEntry, type HealthReport } from '../health/index.js';
export { decryptedStorage, subjectData } from '../personal/index.js';
export { isEditable, matchingDeadLetters } from '../transport/index.js';
export { encryptedPrefix, encryptedValue, withoutMarks } from '../json/index.js';
export { around } from '../storage/index.js';
