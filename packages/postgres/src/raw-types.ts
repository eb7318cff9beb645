import type { CustomTypesConfig } from 'pg';

/** Values as the text that PostgreSQL sends: what they mean is known where they are read, and bodies are not parsed on the way. */
export const rawTypes: CustomTypesConfig = { getTypeParser: () => (text: string) => text };
