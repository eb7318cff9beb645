/**
 * Pages are read in full before anything is done with them, and bodies have no bounds of their own: what bounds a page is how many bytes
 * it may have. Once it has so many it ends, in whatever message that is.
 */
export const mostPageBytes = 4_000_000;

/** Bodies of so many bytes at most cannot make a page large, since no page has more than a thousand of them; nobody need add them up. */
export const smallBodyBytes = 4_000;

/** The items of a page, up to the one in which it has enough bytes. */
export function withinPageBytes<T>(items: readonly T[], bytesOf: (item: T) => number): readonly T[] {
  let bytes = 0;
  const end = items.findIndex((item) => (bytes += bytesOf(item)) >= mostPageBytes);
  return end === -1 ? items : items.slice(0, end + 1);
}

/** Pages of so many items at most, none of them empty. */
export async function* pagesOf<T>(
  items: AsyncIterable<T>,
  size: number,
  bytesOf: (item: T) => number,
): AsyncIterable<readonly T[]> {
  let page: T[] = [];
  let bytes = 0;
  for await (const item of items) {
    bytes += bytesOf(item);
    if (page.push(item) < size && bytes < mostPageBytes) continue;
    yield page;
    page = [];
    bytes = 0;
  }
  if (page.length > 0) yield page;
}
