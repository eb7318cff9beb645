import { describe, expect, it } from 'vitest';
import type { Decider } from '../deciders/index.js';
import { CommandRejectedError, NotFoundError, type ReceptorContext } from '../dispatch/index.js';
import type { ServiceRegistry } from '../hosting/index.js';
import { messageOf, newId, timeOfId, type MessageClass, type MessageKind } from '../messages/index.js';
import type { Uuid } from '../json/index.js';
import { receptorTest } from './index.js';

class ReturnBook {
  bookId!: Uuid;
}
class BookLent {
  constructor(readonly member: string) {}
}
class BookReturned {
  constructor(
    readonly member: string,
    readonly at: string,
  ) {}
}

class Book implements Decider<{ borrowers: string[] }, BookLent | BookReturned> {
  initial() {
    return { borrowers: [] as string[] };
  }
  evolve({ borrowers }: { borrowers: string[] }, event: BookLent | BookReturned) {
    if (event instanceof BookLent) return { borrowers: [event.member] };
    return event.member === 'careless' ? this.#changed(borrowers) : { borrowers: [] };
  }
  #changed(borrowers: string[]) {
    borrowers.pop();
    return { borrowers };
  }
}

const message = (type: MessageClass, kind: MessageKind) => ({
  type: `library.${type.name}`,
  kind,
  class: type,
  read: (value: unknown) => Object.assign(Object.create(type.prototype as object) as object, value),
  write: JSON.stringify,
});

const registry: ServiceRegistry<{ readonly fee: number }> = {
  messages: [message(ReturnBook, 'command'), message(BookLent, 'event'), message(BookReturned, 'event')],
  receptors: [
    {
      name: 'ReturnBookReceptor',
      command: ReturnBook,
      create: (_host, { fee }) => ({
        async receive({ bookId }: ReturnBook, context: ReceptorContext) {
          const book = await context.load(Book, bookId);
          if (!book.exists) throw new NotFoundError('There is no such book.');
          const [borrower] = book.state.borrowers;
          if (borrower === undefined) throw new CommandRejectedError('This book is not lent.');
          book.append(new BookReturned(borrower, new Date().toISOString()));
          return { fee, tenant: context.envelope.scope?.['tenantId'] ?? null, at: context.envelope.timestamp };
        },
      }),
    },
  ],
  endpoints: [],
  deciders: [{ name: 'Book', class: Book, events: [BookLent, BookReturned], create: () => new Book() }],
  openapi: { paths: {}, components: { schemas: {} } },
};

const { given, streamId } = receptorTest(registry, { fee: 3 });
const returnBook = messageOf(ReturnBook, { bookId: streamId });

describe('receptorTest', () => {
  it('compares the events of a command, at a time that the test knows', async () => {
    await given(new BookLent('Ann')).when(returnBook).then(new BookReturned('Ann', '2026-01-01T00:01:00.000Z'));
    const at = new Date('2030-05-05T05:05:05Z');
    await given(new BookLent('Ann'))
      .when(returnBook, { at })
      .then({ event: new BookReturned('Ann', at.toISOString()), streamId });
    expect(Date.now()).not.toBe(at.getTime());
    expect(timeOfId(newId()), 'later ids are of the real time').toBeLessThan(at.getTime());
  });

  it('compares the result of a command, with its services and its scope', async () => {
    const at = new Date('2026-02-02T00:00:00Z');
    const lent = { event: new BookLent('Ann'), scope: { tenantId: 'acme' }, timestamp: at };
    const outcome = given(lent).when(returnBook, { scope: { tenantId: 'acme' } });
    await outcome.thenReturns({ fee: 3, tenant: 'acme', at: new Date('2026-02-02T00:01:00Z') });
    await expect(outcome.thenReturns({ fee: 4 })).rejects.toThrow(/fee: 3[^]*fee: 4/);
  });

  it('compares the error of a command', async () => {
    const outcome = given(new BookLent('Ann'), new BookReturned('Ann', '')).when(returnBook);
    await outcome.thenRejects(new CommandRejectedError('This book is not lent.'));
    await outcome.thenRejects(CommandRejectedError);
    await expect(outcome.thenRejects(new CommandRejectedError('Lent.'))).rejects.toThrow('This book is not lent.');
    await expect(outcome.thenRejects(NotFoundError)).rejects.toThrow('CommandRejectedError');
    await given({ event: new BookLent('Ann'), streamId: newId() })
      .when(returnBook)
      .thenRejects(NotFoundError);
  });

  it('shows the difference of events, with their types', async () => {
    const outcome = given(new BookLent('Ann')).when(returnBook);
    const nothing: readonly object[] = [];
    await expect(outcome.then(...nothing)).rejects.toThrow(/library\.BookReturned[^]*Ann/);
    await expect(outcome.then(new BookLent('Ben'))).rejects.toThrow(/Ann[^]*Ben/);
    const other = { event: new BookReturned('Ann', '2026-01-01T00:01:00.000Z'), streamId: newId() };
    await expect(outcome.then(other)).rejects.toThrow(other.streamId);
    await expect(outcome.then(new (class Unknown {})())).rejects.toThrow('Unknown is not an event of this service');
    expect((await outcome.appended()).map((event) => event.streamId)).toEqual([streamId]);
  });

  it('says what happened instead', async () => {
    await expect(given().when(returnBook).appended()).rejects.toThrow('NotFoundError: There is no such book.');
    await expect(given(new BookLent('Ann')).when(returnBook).thenRejects(NotFoundError)).rejects.toThrow(
      /returned \{"fee":3.*appended \[\{"library.BookReturned":/,
    );
  });

  it('fails if a decider changes its state', async () => {
    const test = given(new BookLent('Ann'), new BookReturned('careless', '')).when(returnBook);
    await expect(test.thenRejects(TypeError)).resolves.toBeUndefined();
  });

  it('cannot be awaited without a check', async () => {
    const outcome: unknown = given(new BookLent('Ann')).when(returnBook);
    await expect(Promise.resolve(outcome)).rejects.toThrow('Call then, thenRejects, thenReturns or appended.');
  });
});
