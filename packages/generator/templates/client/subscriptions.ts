import { setsAsArrays, type Operation } from './commands.js';
import type { RunSubscription, SubscriptionDocument } from './document-types.js';
import { jsonIn } from './errors.js';
import { openEvents } from './event-stream.js';
import { follow, iterate, type Connect, type EventReader } from './following.js';
import { failureIn, resultOfDocument, type GraphQLAnswer } from './graphql-errors.js';
import { readsAfterCommands } from './reads.js';
import type { Outgoing } from './send.js';
import type { ServerEvent } from './server-events.js';

/** The operation that runs GraphQL subscriptions. Their first result includes earlier commands of the client. */
export const subscribe: Operation<RunSubscription> = (connection) => {
  return (document, ...[variables, options = {}]) => {
    const { waitSeconds, signal } = options;
    const request: Outgoing = {
      method: 'POST',
      path: connection.options.graphQLPath ?? '/graphql',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      signal,
      isRepeatable: true,
      failure: ({ status, headers }, text) => failureIn(request, document, jsonIn(text), status, headers),
    };
    /** Of an event of the stream. Throws if it reports a failure. */
    const answerIn = ({ name, data }: ServerEvent): GraphQLAnswer | null => {
      if (name !== 'next') return null;
      const answer = JSON.parse(data) as GraphQLAnswer;
      const failure = failureIn(request, document, answer, 200, new Headers());
      if (failure !== undefined) throw failure;
      return answer;
    };
    const connect: Connect = async ({ place, event, signal: own, retries }) => {
      const waits = event === undefined ? {} : { svcAfterEvent: event, svcWaitSeconds: waitSeconds };
      const sent = { ...variables, ...waits, ...(place !== null && { svcSince: place }) };
      const body = JSON.stringify({ query: document.text, variables: sent }, setsAsArrays);
      // A rejected subscription is a stream with an error. It is repeated as other requests if the reason can be over soon.
      return await openEvents(connection, { ...request, body, signal: own, retries }, async (stream) => {
        for (const first of await stream.peek()) answerIn(first);
      });
    };
    const reads = document.isWaiting ? options : { ...options, afterEvent: false as const };
    const start = (stop: AbortController) =>
      follow(connect, new Results(document, answerIn), reads, stop, readsAfterCommands(connection));
    return iterate(signal, start);
  };
};

/** Reads the results of a subscription. Each is one event. */
class Results<TResult> implements EventReader<TResult> {
  place: string | null = null;
  readonly isComplete = true;
  readonly isLost = false;
  isOver = false;
  readonly #document: SubscriptionDocument<TResult, never>;
  readonly #answerIn: (event: ServerEvent) => GraphQLAnswer | null;

  constructor(document: SubscriptionDocument<TResult, never>, answerIn: (event: ServerEvent) => GraphQLAnswer | null) {
    this.#document = document;
    this.#answerIn = answerIn;
  }

  take(event: ServerEvent): TResult[] {
    if (event.name === 'complete') this.isOver = true;
    const answer = this.#answerIn(event);
    if (answer === null) return [];
    this.#takePlace(answer);
    return [resultOfDocument(this.#document, answer)];
  }

  complete(): TResult[] {
    return [];
  }

  restart(): boolean {
    return false;
  }

  /** The place is not part of the result: the caller has not selected it. */
  #takePlace({ data }: GraphQLAnswer): void {
    const { list } = this.#document;
    const value = list === null ? null : (data as Record<string, { svcPlace?: string | null } | null>)[list];
    if (value === null || value === undefined) return;
    this.place = value.svcPlace ?? this.place;
    delete value.svcPlace;
  }
}
