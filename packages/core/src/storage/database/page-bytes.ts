/**
 * The most bytes of a page, because pages are read completely and bodies have no limit of their own. A page ends with the message that
 * reaches the limit.
 */
export const mostPageBytes = 4_000_000;

/** Bodies up to this size need not be counted: a page has at most a thousand of them, so they cannot exceed the limit. */
export const smallBodyBytes = 4_000;

/** The items of a page, up to the one that reaches the limit of bytes. */
export function withinPageBytes<T>(items: readonly T[], bytesOf: (item: T) => number): readonly T[] {
  let bytes = 0;
  const end = items.findIndex((item) => (bytes += bytesOf(item)) >= mostPageBytes);
  return end === -1 ? items : items.slice(0, end + 1);
}

/** Divides items into pages of limited size, none of them empty. */
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
