/** Shorter texts occur in other words. */
const shortestText = 3;

/** All texts in parsed JSON, such as the stored body of a message. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length >= shortestText ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
