/**
 * A service that stores notes, over REST and GraphQL, on any storage. Callers authenticate by `<tenant>/<user> <permissions>`, as those of the
 * bank do.
 */
import {
  commandEndpoint,
  createService,
  MutationEndpointBase,
  newId,
  perspective,
  type Authenticator,
  type MessageClass,
  type Perspective,
  type ReceptorContext,
  type SecurityContext,
  type Service,
  type ServiceRegistry,
  type SystemEventOptions,
  type Uuid,
} from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { type MessageKind } from '@svc/core/testing';
import { svc } from '@svc/fastify';
import { graphQL } from '@svc/graphql';
import Fastify from 'fastify';
import { onTestFinished } from 'vitest';
import { described } from '../perspectives/perspective-shop.js';
import { callerOf } from '../tenants/bank.js';

@commandEndpoint<TakeNote, unknown>({ restRoute: '/notes/take', graphQLMutation: 'takeNote' })
export class TakeNote {
  noteId: Uuid = newId();
  text = '';
}

export class NoteTaken {
  text = '';
}

export interface Note {
  text: string;
}

@perspective({ route: '/notes', graphQLQuery: 'note', graphQLListQuery: 'notes' })
export class NotePerspective implements Perspective<Note, NoteTaken> {
  apply(_model: Note | null, { text }: NoteTaken): Note {
    return { text };
  }
}

const message = (type: MessageClass, kind: MessageKind) => ({
  type: `desk.${type.name}`,
  kind,
  class: type,
  read: (value: unknown) => Object.assign(new type(), value),
  write: JSON.stringify,
});

export class DeskEndpoint extends MutationEndpointBase<object, unknown> {}

const sdl = `
  type Query {
    note(id: ID!, afterEvent: ID, waitSeconds: Int): Note
    notes(page: Int, pageSize: Int, after: String, sort: String, afterEvent: ID, waitSeconds: Int): NotePage
  }
  type Mutation { takeNote(command: TakeNoteInput!): JSON }
  input TakeNoteInput { noteId: ID, text: String }
  type Note { text: String! }
  type NotePage { items: [Note!]!, hasMore: Boolean! }
  scalar JSON
`;

export type TakesNote = (command: TakeNote, context: ReceptorContext) => unknown;

/** Each note is the first event of its stream. */
const takeNote: TakesNote = ({ noteId, text }, context) => {
  context.append(noteId, Object.assign(new NoteTaken(), { text }), { expectedPosition: -1 });
  return { noteId };
};

function deskRegistry({
  receive = takeNote,
  endpoint: Endpoint = DeskEndpoint,
  command = TakeNote,
  notes = NotePerspective,
  others = [],
}: Partial<DeskSetup>): ServiceRegistry<object> {
  return {
    messages: [message(command, 'command'), message(NoteTaken, 'event')],
    receptors: [{ name: 'TakeNoteReceptor', command, create: () => ({ receive: receive as never }) }],
    endpoints: [
      {
        name: 'TakeNoteEndpoint',
        command,
        restRoute: '/notes/take',
        graphQLMutation: 'takeNote',
        readRequest: (value) => Object.assign(new command(), value),
        writeResult: (value) => JSON.stringify(value ?? null),
        create: ({ dispatcher }) => new Endpoint(dispatcher),
      },
    ],
    perspectives: [described(notes, [NoteTaken]), ...others.map((other) => described(other, [NoteTaken]))],
    openapi: { paths: {}, components: { schemas: {} } },
    graphql: { sdl, inputs: {}, fields: {}, unions: {} },
  };
}

/** The caller of a credential, with the roles after a `+`: `acme/ann+clerk,auditor orders:read`. */
export function deskCaller(credential: string): SecurityContext {
  const [who, ...permissions] = credential.split(' ');
  const [name, roles = ''] = who!.split('+');
  const caller = callerOf([name, ...permissions].join(' '));
  return { ...caller, roles: new Set(roles === '' ? [] : roles.split(',')), userName: 'A Name' };
}

const byName: Authenticator = {
  scheme: 'Test',
  credentialIn: (headers) => headers('authorization') ?? null,
  authenticate: (credential) => Promise.resolve({ context: deskCaller(credential) }),
};

export interface DeskSetup {
  readonly storage: Storage;
  readonly receive?: TakesNote;
  /** Default: one without hooks. */
  readonly endpoint?: typeof DeskEndpoint;
  /** Default: `enableAll()`. */
  readonly events?: (options: SystemEventOptions) => unknown;
  /** The command that adds notes. Default: `TakeNote`, which every caller may use. */
  readonly command?: typeof TakeNote;
  /** Default: `NotePerspective`, which every caller may read. */
  readonly notes?: typeof NotePerspective;
  /** Further perspectives of notes. */
  readonly others?: readonly (new () => Perspective<object, never>)[];
  readonly configure?: (service: Service) => void;
}

/** Adds and reads notes, and returns an HTTP status; over GraphQL the code of the error or 200. */
export interface Way {
  take(who: string, note: Partial<TakeNote>, idempotencyKey?: string): Promise<number | string>;
  find(who: string, id: string): Promise<unknown>;
  list(who: string): Promise<unknown>;
}

export interface Desk {
  readonly service: Service;
  readonly rest: Way;
  readonly graphQL: Way;
  /** The response to any GraphQL operation. */
  ask(who: string, query: string, variables?: object, idempotencyKey?: string): Promise<GraphQLAnswer>;
}

export interface GraphQLAnswer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

export const ways = ['rest', 'graphQL'] as const;

export async function openDesk(setup: DeskSetup): Promise<Desk> {
  const { storage, events = (options) => options.enableAll(), configure } = setup;
  const service = createService(deskRegistry(setup))
    .useStorage(storage)
    .addSystemEventAuditing((options) => void events(options))
    .addServicePerspectives()
    .addAuthentication(byName)
    .reportTo(() => {});
  configure?.(service);
  const app = Fastify();
  await app.register(svc(service, { graphql: graphQL() }));
  onTestFinished(async () => {
    await app.close();
    await service.stop();
  });
  const headersOf = (who: string, key?: string): Record<string, string> => ({
    authorization: who,
    ...(key !== undefined && { 'idempotency-key': key }),
  });
  const ask: Desk['ask'] = async (who, query, variables = {}, key) => {
    const payload = { query, variables };
    return (await app.inject({ method: 'POST', url: '/graphql', payload, headers: headersOf(who, key) })).json();
  };
  const get = async (who: string, url: string): Promise<unknown> => {
    const answer = await app.inject({ method: 'GET', url, headers: headersOf(who) });
    return answer.statusCode === 200 ? answer.json() : answer.statusCode;
  };
  const outcome = ({ data, errors }: GraphQLAnswer, name: string): unknown =>
    errors === undefined ? data?.[name] : errors[0]!.extensions.code;
  return {
    service,
    ask,
    rest: {
      take: async (who, payload, key) =>
        (await app.inject({ method: 'POST', url: '/notes/take', payload, headers: headersOf(who, key) })).statusCode,
      find: (who, id) => get(who, `/notes/${id}`),
      list: (who) => get(who, '/notes'),
    },
    graphQL: {
      take: async (who, command, key) => {
        const query = 'mutation ($command: TakeNoteInput!) { takeNote(command: $command) }';
        const { errors } = await ask(who, query, { command }, key);
        return errors === undefined ? 200 : errors[0]!.extensions.code;
      },
      find: async (who, id) => outcome(await ask(who, `{ note(id: "${id}") { text } }`), 'note'),
      list: async (who) => outcome(await ask(who, '{ notes { items { text } hasMore } }'), 'notes'),
    },
  };
}
