/** Which types are audited: all except the excluded ones (OptOut), or only the marked ones (OptIn). */
export const AuditMode = { OptOut: 'OptOut', OptIn: 'OptIn' } as const;
export type AuditMode = (typeof AuditMode)[keyof typeof AuditMode];
