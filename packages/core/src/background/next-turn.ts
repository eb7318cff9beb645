/** Lets everything else have its turn: a storage inside the process never makes anybody wait. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
