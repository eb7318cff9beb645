/** How important an audited message is. */
export const AuditLevel = { Info: 0, Warning: 1, Critical: 2 } as const;
export type AuditLevel = (typeof AuditLevel)[keyof typeof AuditLevel];
