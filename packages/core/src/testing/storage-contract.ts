import type { Storage, StorageCapability } from '../storage/index.js';
import { archivedAuditCases } from './storage-archived-audit-cases.js';
import { auditCases } from './storage-audit-cases.js';
import { auditQueryCases } from './storage-audit-query-cases.js';
import { archiveCases } from './storage-archive-cases.js';
import { backlogCases } from './storage-backlog-cases.js';
import { cancellationCases } from './storage-cancellation-cases.js';
import type { StorageCase } from './storage-case.js';
import { clockCases } from './storage-clock-cases.js';
import { concurrencyCases } from './storage-concurrency-cases.js';
import { connectionCases } from './storage-connection-cases.js';
import { deadLetterCases } from './storage-dead-letter-cases.js';
import { eventCases } from './storage-event-cases.js';
import { expiryCases, idempotencyCases } from './storage-idempotency-cases.js';
import { hostCases } from './storage-host-cases.js';
import { identityCases } from './storage-identity-cases.js';
import { leaseCases } from './storage-lease-cases.js';
import { modelCases } from './storage-model-cases.js';
import { notificationCases } from './storage-notification-cases.js';
import { operationCases } from './storage-operation-cases.js';
import { orderCases } from './storage-order-cases.js';
import { outboxCases } from './storage-outbox-cases.js';
import { perspectiveCases } from './storage-perspective-cases.js';
import { changeCases } from './storage-change-cases.js';
import { processCases } from './storage-process-cases.js';
import { reactionCases } from './storage-reaction-cases.js';
import { replayCases } from './storage-replay-cases.js';
import { scheduleCases } from './storage-schedule-cases.js';
import { segmentCases } from './storage-segment-cases.js';
import { subjectKeyCases } from './storage-subject-key-cases.js';
import { sealCases } from './storage-seal-cases.js';
import { snapshotCases } from './storage-snapshot-cases.js';
import { systemDeliveryCases } from './storage-system-delivery-cases.js';
import { tenantCases } from './storage-tenant-cases.js';

/** The contract of every storage. */
export const storageContract: readonly StorageCase[] = [
  ...eventCases,
  ...concurrencyCases,
  ...cancellationCases,
  ...identityCases,
  ...tenantCases,
  ...orderCases,
  ...outboxCases,
  ...auditCases,
  ...idempotencyCases,
  ...deadLetterCases,
  ...expiryCases,
];

/** The additional cases of each capability. */
export const capabilityContracts: Readonly<Record<StorageCapability, readonly StorageCase[]>> = {
  connection: connectionCases,
  leases: leaseCases,
  notifications: notificationCases,
  clock: clockCases,
  replay: replayCases,
  systemDelivery: systemDeliveryCases,
  operations: operationCases,
  snapshots: snapshotCases,
  perspectives: [...perspectiveCases, ...modelCases, ...changeCases],
  archive: [...archiveCases, ...archivedAuditCases],
  schedule: scheduleCases,
  reactions: reactionCases,
  processes: processCases,
  audit: auditQueryCases,
  subjectKeys: subjectKeyCases,
  seals: sealCases,
  hosts: hostCases,
  backlog: backlogCases,
};

/** Returns the capabilities of a storage, which need not be open. */
export function capabilitiesOf(storage: Storage): readonly StorageCapability[] {
  const all = Object.keys(capabilityContracts) as StorageCapability[];
  return all.filter((capability) => storage[capability] !== undefined);
}

/**
 * Returns the contract suite of a storage and its capabilities, for any test runner: `it.each(contractOf(storage))('$name', ({ run }) =>
 * run(open))`, with a new database for each case. The storage need not be open.
 */
export function contractOf(storage: Storage): readonly StorageCase[] {
  const ofCapabilities = capabilitiesOf(storage).flatMap((capability) => capabilityContracts[capability]);
  return [...storageContract, ...ofCapabilities, ...(storage.perspectives?.segments === undefined ? [] : segmentCases)];
}
