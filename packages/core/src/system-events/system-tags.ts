/** The tag of audit records. */
export const auditTag = 'sys-audit';

/** All tags that svc uses. */
export const systemTags: readonly string[] = [auditTag];
