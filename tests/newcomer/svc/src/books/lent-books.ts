import { perspective, type AppliedEvent, type Perspective, type Uuid } from '@svc/core';
import type { BookLent } from './lend-book.js';

export interface LentBook {
  bookId: Uuid;
  member: string;
  lentAt: Date;
}

@perspective({ route: '/books', indexed: ['member'] })
export class LentBooks implements Perspective<LentBook, BookLent> {
  apply(_book: LentBook | null, { bookId, member }: BookLent, { timestamp }: AppliedEvent): LentBook {
    return { bookId, member, lentAt: timestamp };
  }
}
