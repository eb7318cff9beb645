import type { Uuid } from '../json/index.js';
import type { DeadLetterCause, DeadLetterRecord, EventLog } from '../storage/index.js';

/** Which dead letters `DeadLetters.list` returns. */
export interface DeadLetterPage {
  /** The id of the last dead letter of the previous page. Default: none, the first page. */
  readonly after?: Uuid;
  /** Default: 50; maximum: 500. */
  readonly limit?: number;
  /** Default: any direction. */
  readonly direction?: DeadLetterRecord['direction'];
  /** Default: any cause. */
  readonly cause?: DeadLetterCause;
}

/** How many are read at once. */
const batch = 500;

/** The first `limit` dead letters of a page that match, the oldest first. */
export async function matchingDeadLetters(
  log: Pick<EventLog, 'readDeadLetters'>,
  { after, limit, direction, cause }: DeadLetterPage & { readonly limit: number },
  isVisible: (letter: DeadLetterRecord) => boolean = () => true,
): Promise<readonly DeadLetterRecord[]> {
  const isWanted = (letter: DeadLetterRecord): boolean =>
    (direction === undefined || letter.direction === direction) && (cause === undefined || letter.cause === cause);
  const isFiltered = direction !== undefined || cause !== undefined;
  const size = isFiltered ? batch : Math.min(limit, batch);
  const found: DeadLetterRecord[] = [];
  for (let last = after ?? null; ;) {
    const page = await log.readDeadLetters(last, size);
    found.push(...page.filter((letter) => isWanted(letter) && isVisible(letter)));
    if (page.length < size || found.length >= limit) return found.slice(0, limit);
    last = page.at(-1)!.id;
  }
}
