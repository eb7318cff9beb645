/** The tag of audit records. */
export const auditTag = 'sys-audit';

/** Every tag of the system. */
export const systemTags: readonly string[] = [auditTag];
