/** The destination of audit records: from the outbox to the system stream, and the topic that they are published to. */
export const auditDestination = 'svc.core.auditevents';
