/** Where queued audit envelopes go: from the outbox into the system stream. */
export const auditDestination = 'svc.core.auditevents';
