/** How many events wait in memory at most, before the next page is read. */
export const mostWaiting = 1_000;
/** After how many events a stream that catches up stores its position. */
export const eventsPerCheckpoint = 500;
/** How many failed streams are retried at the same time at most. */
export const mostRetried = 100;
