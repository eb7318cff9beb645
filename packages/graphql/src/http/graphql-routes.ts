import { Readable } from 'node:stream';
import type { SecurityContext } from '@svc/core';
import { type AccessControl } from '@svc/core/hosting';
import {
  addVary,
  callerOf,
  forbidSniffing,
  queryOf,
  requestOf,
  type HostReply,
  type HostRequest,
  type Route,
  type RouteBody,
} from '@svc/http/hosting';
import { requestError, type CallerError } from '../errors/index.js';
import type { Answer, Executor } from '../execution.js';
import { DocumentFinder, type PreparedDocuments, type PreparedOperation } from '../operations/index.js';
import type { GraphQLLimits, GraphQLSettings } from '../options.js';
import { createRequestContext, type RequestContext } from '../request-context.js';
import type { Subscribe } from '../subscriptions/index.js';
import { establishing } from './callers.js';
import { answerError, internalError, requestErrorOf, sendErrors } from './answer-errors.js';
import { rejectCrossSite, wantsPage } from './cross-site.js';
import {
  acceptsStream,
  requireDistinctConnection,
  singleConnection,
  wantsStream,
  wholeStream,
} from './event-stream.js';
import { readParameters, readRequest, type GraphQLRequest } from './graphql-request.js';
import { mediaTypeFor } from './media-type.js';
import { requireSafeKeys } from './untrusted-json.js';

/** What the route needs to run operations. */
export interface GraphQLRouteParts {
  /** Documents of authenticated callers, of every caller in a service without authentication, and persisted ones. */
  readonly documents: PreparedDocuments;
  /** Documents of callers without a credential, in a service with authentication. */
  readonly anonymousDocuments: PreparedDocuments;
  readonly execute: Executor['execute'];
  /** Null: the host serves no subscriptions. */
  readonly subscribe: Subscribe | null;
  readonly access: AccessControl;
  /** Whether the service has operations for callers without a credential. */
  readonly allowsAnonymous: boolean;
  /** The page of the explorer; null if there is none. */
  readonly page: ((reply: HostReply) => Promise<string>) | null;
}

/** The routes for operations: POST for all of them, GET for queries and subscriptions, and for the explorer's `page` if there is one. */
export function operationRoutes(
  settings: GraphQLSettings,
  { documents, anonymousDocuments, execute, subscribe, access, allowsAnonymous, page }: GraphQLRouteParts,
): readonly Route[] {
  const finder = new DocumentFinder(settings.persistedOperations);
  const limitsOf = (caller: SecurityContext | null): GraphQLLimits =>
    caller === null && !access.isOpen ? settings.anonymous : settings.limits;
  const establish = establishing(access, allowsAnonymous);
  const isForPage = (request: HostRequest): boolean => page !== null && wantsPage(request);
  const shared = { path: settings.path, gate: null, bodyLimit: settings.bodyLimit, answerError, rejectMethod };

  const post: Route = {
    ...shared,
    method: 'POST',
    establish,
    readBody: (body) => body,
    handle: (request, reply) =>
      respond(request, async (context) => {
        const { body } = request;
        requireSafeKeys(body, requestOf(request).sentText ?? '');
        if (!Array.isArray(body)) return await one(readRequest(body), { request, reply, context });
        return written({ request, reply, context }, await batch(body, request, context));
      }),
  };
  const get: Route = {
    ...shared,
    method: 'GET',
    readBody: null,
    establish: async (request, reply) => {
      if (!isForPage(request)) await establish(request, reply);
    },
    handle: async (request, reply) => {
      addVary(reply, 'Accept');
      if (isForPage(request)) return await page!(reply);
      reply.header('cache-control', 'private, no-cache');
      return await respond(request, async (context) => {
        rejectCrossSite(request);
        const sent = { request, reply, context };
        return await one(readParameters(queryOf(request)), sent, (operation) => rejectMutation(operation, reply));
      });
    },
  };
  return [post, get];

  async function respond(
    request: HostRequest,
    run: (context: RequestContext) => Promise<RouteBody>,
  ): Promise<RouteBody> {
    // Another service on the same host may have authenticated the caller, for itself.
    const caller = access.isOpen ? null : callerOf(request);
    const context = createRequestContext(request, caller, limitsOf(caller).models);
    try {
      requireDistinctConnection(request);
      return await run(context);
    } finally {
      context.http.end();
    }
  }

  async function one(
    asked: GraphQLRequest,
    sent: SentRequest,
    check: (operation: PreparedOperation) => void = () => {},
  ): Promise<RouteBody> {
    const { variables } = asked;
    const operation = await prepare(asked, sent.context, check);
    const { subscription } = operation;
    if (subscription === null) return written(sent, await execute(operation, variables, sent.context));
    requireStream(sent.request);
    const body = await subscribe!({ operation: { ...operation, subscription }, variables, ...sent });
    return typeof body === 'string' || body instanceof Readable ? body : wholeStream(sent.reply, body);
  }

  async function prepare(
    request: GraphQLRequest,
    context: RequestContext,
    check: (operation: PreparedOperation) => void = () => {},
  ): Promise<PreparedOperation> {
    const { text, isPersisted } = await finder.find(request);
    const isLimited = limitsOf(context.caller) === settings.anonymous && !isPersisted;
    const operation = (isLimited ? anonymousDocuments : documents).operation(text, request.operationName);
    check(operation);
    // Callers without a credential displace no document of others.
    if (!isLimited && !isPersisted) finder.register(request);
    if (context.idempotencyKey !== undefined) requireOneMutation(operation);
    return operation;
  }

  /** Each operation has its own result, even if another one fails. */
  async function batch(
    bodies: readonly unknown[],
    request: HostRequest,
    context: RequestContext,
  ): Promise<readonly (Answer | { readonly errors: readonly CallerError[] })[]> {
    const most = limitsOf(context.caller).batch;
    if (wantsStream(request)) throw requestError(400, 'BAD_REQUEST', 'A stream has the results of one operation.');
    if (bodies.length === 0) throw requestError(400, 'BAD_REQUEST', 'The batch is empty.');
    if (context.idempotencyKey !== undefined) throw requestError(400, 'BAD_REQUEST', oneMutation);
    if (bodies.length > most) {
      throw requestError(
        400,
        'LIMIT_EXCEEDED',
        `The batch has ${bodies.length} operations; at most ${most} are allowed.`,
      );
    }
    return await Promise.all(
      bodies.map((body) =>
        oneOfBatch(body, context).catch((error: unknown) => ({
          errors: requestErrorOf(error)?.errors ?? [internalError(request, error)],
        })),
      ),
    );
  }

  async function oneOfBatch(body: unknown, context: RequestContext): Promise<Answer> {
    const sent = readRequest(body);
    const operation = await prepare(sent, context);
    if (operation.subscription !== null) {
      throw requestError(400, 'BAD_REQUEST', 'A batch cannot contain subscriptions. Send each in its own request.');
    }
    return await execute(operation, sent.variables, context);
  }
}

/** A request with its response and its context. */
interface SentRequest {
  readonly request: HostRequest;
  readonly reply: HostReply;
  readonly context: RequestContext;
}

/** The result of a query or mutation, or those of a batch, in the format that the client accepts. */
function written({ request, reply, context }: SentRequest, answer: object): string {
  const { lastEventId } = context.http;
  if (lastEventId !== undefined) reply.header('svc-last-event', lastEventId);
  if (wantsStream(request)) return wholeStream(reply, answer);
  reply.header('content-type', mediaTypeFor(request));
  forbidSniffing(reply);
  return JSON.stringify(answer);
}

const oneMutation =
  'An Idempotency-Key applies to one mutation. Send each mutation in its own operation with its own key.';

function requireOneMutation({ mutations }: PreparedOperation): void {
  if (mutations > 1) throw requestError(400, 'BAD_REQUEST', oneMutation);
}

function requireStream(request: HostRequest): void {
  if (acceptsStream(request)) return;
  throw requestError(
    406,
    'NOT_ACCEPTABLE',
    'A subscription has a stream of results. Send it with Accept: text/event-stream.',
  );
}

function rejectMutation({ isMutation }: PreparedOperation, reply: HostReply): void {
  if (!isMutation) return;
  reply.header('allow', 'POST');
  throw requestError(405, 'METHOD_NOT_ALLOWED', 'Send mutations with POST.');
}

function rejectMethod(request: HostRequest, reply: HostReply): void {
  const allowed = 'Send operations with POST, or queries and subscriptions with GET.';
  // Clients of the single connection mode start with PUT.
  const message = request.method === 'PUT' ? `${allowed} ${singleConnection}` : allowed;
  const { errors } = requestError(405, 'METHOD_NOT_ALLOWED', message);
  sendErrors(request, reply, 405, errors);
}
