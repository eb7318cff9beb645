import type { Issue } from '../../errors/index.js';

/** The defaults and limits of page numbers and page sizes, over REST and GraphQL. */
export const pageBounds = {
  /** A page by number costs as much as all previous pages; a page by `after` costs only itself. */
  page: { usual: 1, most: 100 },
  pageSize: { usual: 10, most: 100 },
} as const;

/** The page that a caller requests. */
export interface PageNumbers {
  /** Null: the page after `after`. */
  readonly page: number | null;
  readonly pageSize: number;
  readonly offset: number;
  readonly limit: number;
}

type Given = number | null | undefined;

/** The numbers of a request, or the defaults; numbers outside the limits are added to the issues. */
export function readPage(
  page: Given,
  pageSize: Given,
  after: string | null,
  issues: Pick<Issue[], 'push'>,
): PageNumbers {
  const number = read('page', page, issues);
  const limit = read('pageSize', pageSize, issues);
  if (after === null) return { page: number, pageSize: limit, offset: (number - 1) * limit, limit };
  if (page !== undefined && page !== null) {
    issues.push({ pointer: '/page', detail: 'must not be combined with after' });
  }
  return { page: null, pageSize: limit, offset: 0, limit };
}

function read(name: keyof typeof pageBounds, given: Given, issues: Pick<Issue[], 'push'>): number {
  const { usual, most } = pageBounds[name];
  if (given === undefined || given === null) return usual;
  if (!Number.isInteger(given) || given < 1 || given > most) {
    const further = name === 'page' ? '; use after to read further' : '';
    issues.push({ pointer: `/${name}`, detail: `must be a whole number from 1 to ${most}${further}` });
  }
  return given;
}
