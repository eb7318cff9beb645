import { describe, expect, it, vi } from 'vitest';
import type { ReactionContext, ReceptorContext } from '../dispatch/index.js';
import { commandEndpoint, MutationEndpointBase } from '../endpoints/index.js';
import type { ServiceRegistry } from '../hosting/index.js';
import { personalText, readable, type Uuid } from '../json/index.js';
import { messageOf, newId, type MessageClass, type MessageKind } from '../messages/index.js';
import type { Process } from '../processes/index.js';
import { process, reaction } from '../reactions/index.js';
import { permission } from '../security/index.js';
import { collect, createTestService, receptorTest } from './index.js';

class LendBook {
  bookId!: Uuid;
}
class BookLent {
  bookId!: Uuid;
  member!: string | null;
}
class WriteLetter {
  to!: string;
}
class LetterWritten {
  by!: string;
}

/** Constructors use it at once. */
interface Paper {
  lines(): string;
}
interface Services {
  readonly paper: Paper;
  readonly greeting?: string;
}

class LendBookReceptor {
  receive({ bookId }: LendBook, context: ReceptorContext): void {
    context.append(bookId, messageOf(BookLent, { bookId, member: 'Ann' }));
  }
}
class WriteLetterReceptor {
  readonly #lines: string;
  readonly #greeting: string;
  constructor(paper: Paper, greeting = 'Hello') {
    this.#lines = paper.lines();
    this.#greeting = greeting;
  }
  receive({ to }: WriteLetter): string {
    return `${this.#greeting} ${to}, on ${this.#lines}`;
  }
}
commandEndpoint<WriteLetter, string>({ restRoute: '/letters', requires: permission('letters:write') })(WriteLetter);
class WriteLetterEndpoint extends MutationEndpointBase<WriteLetter, string> {
  readonly #lines: string;
  constructor(dispatcher: MutationEndpointBase<WriteLetter, string>['dispatcher'], paper: Paper) {
    super(dispatcher);
    this.#lines = paper.lines();
  }
  protected override onBeforeExecute(command: WriteLetter): void {
    command.to += ` (${this.#lines})`;
  }
}
class Thanks {
  react({ bookId }: BookLent, context: ReactionContext): void {
    context.append(bookId, messageOf(LetterWritten, { by: 'Thanks' }));
  }
}
class Letters {
  readonly #lines: string;
  constructor(paper: Paper) {
    this.#lines = paper.lines();
  }
  react({ bookId }: BookLent, context: ReactionContext): void {
    context.append(bookId, messageOf(LetterWritten, { by: this.#lines }));
  }
}
class Loan implements Process<{ lent: number }, BookLent> {
  readonly #lines: string;
  constructor(paper: Paper) {
    this.#lines = paper.lines();
  }
  initial() {
    return { lent: 0 };
  }
  keyOf({ bookId }: BookLent) {
    return bookId;
  }
  evolve({ lent }: { lent: number }) {
    return { lent: lent + 1 };
  }
  react({ bookId }: BookLent, context: Parameters<Process<{ lent: number }, BookLent>['react']>[1]) {
    context.append(bookId, messageOf(LetterWritten, { by: `${context.state.lent} ${this.#lines}` }));
  }
}
for (const each of [Thanks, Letters]) reaction({ from: 'now' })(each);
process({ from: 'now' })(Loan);

const message = (type: MessageClass, kind: MessageKind) => ({
  type: `library.${type.name}`,
  kind,
  class: type,
  read: (value: unknown) => Object.assign(Object.create(type.prototype as object) as object, value),
  write: JSON.stringify,
});
const lent = {
  ...message(BookLent, 'event'),
  hasPersonal: true,
  read: (value: unknown) => {
    const { bookId, member } = value as BookLent;
    return messageOf(BookLent, { bookId, member: readable(member) as string | null });
  },
  write: ({ bookId, member }: BookLent) =>
    `{"bookId":"${bookId}","member":${personalText(bookId, JSON.stringify(member))}}`,
};
const registry: ServiceRegistry<Services> = {
  messages: [message(LendBook, 'command'), message(WriteLetter, 'command'), lent, message(LetterWritten, 'event')],
  receptors: [
    { name: 'LendBookReceptor', command: LendBook, create: () => new LendBookReceptor() },
    {
      name: 'WriteLetterReceptor',
      command: WriteLetter,
      create: (_host, services) => new WriteLetterReceptor(services.paper, services.greeting),
    },
  ],
  endpoints: [
    {
      name: 'WriteLetterEndpoint',
      command: WriteLetter,
      restRoute: '/letters',
      graphQLMutation: null,
      readRequest: (value) => value as WriteLetter,
      writeResult: JSON.stringify,
      hooks: { onBeforeExecute: 'without signal' },
      create: (host, services) => new WriteLetterEndpoint(host.dispatcher, services.paper),
    },
  ],
  reactions: [
    { name: 'Thanks', class: Thanks, events: [BookLent], create: () => new Thanks() },
    { name: 'Letters', class: Letters, events: [BookLent], create: (_host, { paper }) => new Letters(paper) },
  ],
  processes: [{ name: 'Loan', class: Loan, events: [BookLent], create: (_host, { paper }) => new Loan(paper) }],
  services: ['paper'],
  openapi: { paths: {}, components: { schemas: {} } },
};

const paper: Paper = { lines: () => 'lined paper' };
const writeLetter = () => messageOf(WriteLetter, { to: 'Ann' });
const missing = 'needs the service "paper", which the test does not pass. Pass it in the second argument: { paper }.';

describe('receptorTest', () => {
  it('needs no key vault in a service with personal data', async () => {
    const { given, streamId: bookId } = receptorTest(registry);
    const event = messageOf(BookLent, { bookId, member: 'Ann' });
    const report = vi.spyOn(console, 'error').mockImplementation(() => {});
    await given(event).when(messageOf(LendBook, { bookId })).then(event);
    expect(report.mock.calls, 'it reports nothing').toEqual([]);
    report.mockRestore();
  });

  it('needs only the services of the receptors that it runs', async () => {
    const outcomeWith = (services: Partial<Services>) => receptorTest(registry, services).given().when(writeLetter());
    await expect(outcomeWith({}).appended()).rejects.toThrow(`WriteLetterReceptor ${missing}`);
    await outcomeWith({ paper }).thenReturns('Hello Ann, on lined paper');
    await outcomeWith({ paper, greeting: 'Dear' }).thenReturns('Dear Ann, on lined paper');
  });
});

describe('createTestService', () => {
  it('runs reactions and processes that need no missing service, with personal data', async () => {
    const reports: string[] = [];
    const service = createTestService(registry)
      .addServiceReactions()
      .reportTo((error) => reports.push(String((error as Error).cause)));
    await service.start().ready();
    const bookId = newId();
    await service.dispatcher.invoke(messageOf(LendBook, { bookId }));
    const events = async () => (await collect(service.eventStore.readStream(bookId))).map(({ envelope }) => envelope);
    await expect
      .poll(async () => (await events()).map(({ payload }) => payload))
      .toEqual([messageOf(BookLent, { bookId, member: 'Ann' }), messageOf(LetterWritten, { by: 'Thanks' })]);
    await expect.poll(() => reports.join('\n')).toMatch(`Letters ${missing}`);
    await expect.poll(() => reports.join('\n')).toMatch(`Loan ${missing}`);
    await service.stop();
  });

  it('passes the services of the test to all parts', async () => {
    const service = createTestService(registry, { paper }).addServiceReactions().start();
    await service.ready();
    const bookId = newId();
    await service.dispatcher.invoke(messageOf(LendBook, { bookId }));
    const writers = async () =>
      (await collect(service.eventStore.readStream(bookId)))
        .map(({ envelope: { payload } }) => (payload instanceof LetterWritten ? payload.by : ''))
        .toSorted();
    await expect.poll(writers).toEqual(['', '1 lined paper', 'Thanks', 'lined paper']);
    await service.stop();
  });

  it('serves endpoints, without authentication', async () => {
    const handled = async (services: Partial<Services>) => {
      const service = createTestService(registry, services).omitServiceReactions().start();
      await service.ready();
      const [endpoint] = service.endpoints;
      try {
        return await endpoint!.endpoint.handle(writeLetter(), new AbortController().signal);
      } finally {
        await service.stop();
      }
    };
    await expect(handled({})).rejects.toThrow(`WriteLetterEndpoint ${missing}`);
    await expect(handled({ paper })).resolves.toBe('Hello Ann (lined paper), on lined paper');
  });
});
