import type { PerspectiveStanding } from '@svc/core/storage';
import type { Row } from './engine.js';

/** A row of the statement `standings`. */
export function toStanding(row: Row): PerspectiveStanding {
  return {
    perspective: row['perspective'] as string,
    sequence: row['sequence'] as number,
    stopped: row['stopped'] as number,
    behind: row['behind'] as number,
    oldest: row['oldest'] as number | null,
  };
}
