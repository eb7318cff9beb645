import type { CustomTypesConfig } from 'pg';

/** Leaves values as the text that PostgreSQL sends. The code that reads a column knows its type, and bodies are not parsed. */
export const rawTypes: CustomTypesConfig = { getTypeParser: () => (text: string) => text };
