/** Lets everything run that is ready now. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Lets everything run that waits for no timer. */
export async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await turn();
}
