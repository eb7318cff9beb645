import { commandEndpoint, messageOf } from '@svc/core';
import type { Command, Event, MaxLength, MinLength, Receptor, ReceptorContext, Uuid } from '@svc/core';

export interface Loan {
  bookId: Uuid;
  member: string;
}

/** Lends a book to a member. */
@commandEndpoint<LendBook, Loan>({ restRoute: '/books/lend' })
export class LendBook implements Command {
  bookId!: Uuid;
  member!: string & MinLength<1> & MaxLength<100>;
}

export class BookLent implements Event {
  bookId!: Uuid;
  member!: string;
}

export class LendBookReceptor implements Receptor<LendBook, Loan> {
  receive({ bookId, member }: LendBook, context: ReceptorContext): Loan {
    context.append(bookId, messageOf(BookLent, { bookId, member }));
    return { bookId, member };
  }
}
