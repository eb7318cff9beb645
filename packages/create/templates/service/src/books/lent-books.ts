import { perspective, type AppliedEvent, type Perspective, type Uuid } from '@svc/core';
import type { BookLent } from './lend-book.js';

/** A book that is lent. */
export interface LentBook {
  bookId: Uuid;
  member: string;
  lentAt: Date;
}

/** The lent books: `GET /books?filter[member]=Ann`, `GET /books/<bookId>`. */
@perspective({
  route: '/books',
  graphQLQuery: 'lentBook', //? graphql
  graphQLListQuery: 'lentBooks', //? graphql
  indexed: ['member', 'lentAt'],
})
export class LentBooks implements Perspective<LentBook, BookLent> {
  apply(_book: LentBook | null, { bookId, member }: BookLent, { timestamp }: AppliedEvent): LentBook {
    return { bookId, member, lentAt: timestamp };
  }
}
