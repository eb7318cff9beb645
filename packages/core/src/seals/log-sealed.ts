import type { StoredRecord } from '../storage/index.js';

/** The type of `LogSealed` events in a log. */
export const logSealedType = 'svc.LogSealed';

/** The number of the checkpoint that a `LogSealed` event reports; null: its body cannot be read. */
export function numberOfLogSealed({ body }: StoredRecord): number | null {
  try {
    const { number } = JSON.parse(body) as { readonly number?: unknown };
    return typeof number === 'number' ? number : null;
  } catch {
    return null;
  }
}
