import { comparePlaces, type LogPlace, type ReplayPage } from '../../storage/index.js';

/** The part of a page up to a place. */
export function pageUpTo({ records }: ReplayPage, end: LogPlace): ReplayPage {
  return { records: records.filter((record) => comparePlaces(record, end) <= 0), upTo: end };
}
