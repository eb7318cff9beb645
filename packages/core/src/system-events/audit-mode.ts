/** Which types are audited: all but the excluded ones, or the marked ones only. */
export const AuditMode = { OptOut: 'OptOut', OptIn: 'OptIn' } as const;
export type AuditMode = (typeof AuditMode)[keyof typeof AuditMode];
