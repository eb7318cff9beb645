/** The type of `LogSealed` events in a log. */
export const logSealedType = 'svc.LogSealed';

/** What a `LogSealed` event with a body reports; null: its body cannot be read. */
export function reportOf(body: string): { readonly number: number; readonly checkpoint: string } | null {
  try {
    const { number, checkpoint } = JSON.parse(body) as { readonly number?: unknown; readonly checkpoint?: unknown };
    return typeof number === 'number' && typeof checkpoint === 'string' ? { number, checkpoint } : null;
  } catch {
    return null;
  }
}
