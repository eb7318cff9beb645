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
} from '@svc/http/hosting';
import { requestError, type CallerError } from '../errors/index.js';
import type { Answer, ExecuteOperation } from '../execution.js';
import { DocumentFinder, type PreparedDocuments, type PreparedOperation } from '../operations/index.js';
import type { GraphQLSettings } from '../options.js';
import { createRequestContext, type RequestContext } from '../request-context.js';
import { establishing } from './callers.js';
import { answerError, internalError, requestErrorOf, sendErrors } from './answer-errors.js';
import { rejectCrossSite, wantsPage } from './cross-site.js';
import { readParameters, readRequest, type GraphQLRequest } from './graphql-request.js';
import { mediaTypeFor } from './media-type.js';
import { requireSafeKeys } from './untrusted-json.js';

/** What the route needs to run operations. */
export interface GraphQLRouteParts {
  /** Documents of authenticated callers, of every caller in a service without authentication, and persisted ones. */
  readonly documents: PreparedDocuments;
  /** Documents of callers without a credential, in a service with authentication. */
  readonly anonymousDocuments: PreparedDocuments;
  readonly execute: ExecuteOperation;
  readonly access: AccessControl;
  /** Whether the service has operations for callers without a credential. */
  readonly allowsAnonymous: boolean;
  /** The page of the explorer; null if there is none. */
  readonly page: ((reply: HostReply) => Promise<string>) | null;
}

/** The routes for operations: POST for all of them, GET for queries, and for the explorer's `page` if there is one. */
export function operationRoutes(
  settings: GraphQLSettings,
  { documents, anonymousDocuments, execute, access, allowsAnonymous, page }: GraphQLRouteParts,
): readonly Route[] {
  const finder = new DocumentFinder(settings.persistedOperations);
  const isAnonymous = ({ caller }: RequestContext): boolean => caller === null && !access.isOpen;
  const establish = establishing(access, allowsAnonymous);
  const isForPage = (request: HostRequest): boolean => page !== null && wantsPage(request);
  const shared = { path: settings.path, gate: null, bodyLimit: settings.bodyLimit, answerError, rejectMethod };

  const post: Route = {
    ...shared,
    method: 'POST',
    establish,
    readBody: (body) => body,
    handle: (request, reply) =>
      respond(request, reply, (context) => {
        const { body } = request;
        requireSafeKeys(body, requestOf(request).sentText ?? '');
        return Array.isArray(body) ? batch(body, request, context) : one(readRequest(body), context);
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
      return await respond(request, reply, (context) => {
        rejectCrossSite(request);
        return one(readParameters(queryOf(request)), context, (operation) => requireQuery(operation, reply));
      });
    },
  };
  return [post, get];

  async function respond(
    request: HostRequest,
    reply: HostReply,
    run: (context: RequestContext) => Promise<unknown>,
  ): Promise<string> {
    // Another service on the same host may have authenticated the caller, for itself.
    const context = createRequestContext(request, access.isOpen ? null : callerOf(request));
    try {
      const answer = await run(context);
      const { lastEventId } = context.http;
      if (lastEventId !== undefined) reply.header('svc-last-event', lastEventId);
      reply.header('content-type', mediaTypeFor(request));
      forbidSniffing(reply);
      return JSON.stringify(answer);
    } finally {
      context.http.end();
    }
  }

  async function one(
    request: GraphQLRequest,
    context: RequestContext,
    check: (operation: PreparedOperation) => void = () => {},
  ): Promise<Answer> {
    const { text, isPersisted } = await finder.find(request);
    const isLimited = isAnonymous(context) && !isPersisted;
    const operation = (isLimited ? anonymousDocuments : documents).operation(text, request.operationName);
    check(operation);
    // Callers without a credential displace no document of others.
    if (!isLimited && !isPersisted) finder.register(request);
    if (context.idempotencyKey !== undefined) requireOneMutation(operation);
    return await execute(operation, request.variables, context);
  }

  /** Each operation has its own result, also if another one fails. */
  async function batch(
    bodies: readonly unknown[],
    request: HostRequest,
    context: RequestContext,
  ): Promise<readonly (Answer | { readonly errors: readonly CallerError[] })[]> {
    const most = (isAnonymous(context) ? settings.anonymous : settings.limits).batch;
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
    return await one(readRequest(body), context);
  }
}

const oneMutation =
  'An Idempotency-Key applies to one mutation. Send each mutation in its own operation with its own key.';

function requireOneMutation({ mutations }: PreparedOperation): void {
  if (mutations > 1) throw requestError(400, 'BAD_REQUEST', oneMutation);
}

function requireQuery({ isMutation }: PreparedOperation, reply: HostReply): void {
  if (!isMutation) return;
  reply.header('allow', 'POST');
  throw requestError(405, 'METHOD_NOT_ALLOWED', 'Send mutations with POST.');
}

function rejectMethod(request: HostRequest, reply: HostReply): void {
  const { errors } = requestError(405, 'METHOD_NOT_ALLOWED', 'Send operations with POST, or queries with GET.');
  sendErrors(request, reply, 405, errors);
}
