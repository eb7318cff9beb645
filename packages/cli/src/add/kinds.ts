/** What `svc add` writes. */
export const kinds = ['command', 'perspective', 'reaction', 'process'] as const;
export type Kind = (typeof kinds)[number];
