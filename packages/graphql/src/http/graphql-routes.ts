import { type AccessControl } from '@svc/core/hosting';
import { callerOf, forbidSniffing, requestProperty } from '@svc/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestError, type CallerError } from '../errors/index.js';
import type { Answer, ExecuteOperation } from '../execution.js';
import { textFinder, type PreparedDocuments, type PreparedOperation } from '../operations/index.js';
import type { GraphQLSettings } from '../options.js';
import { createRequestContext, type RequestContext } from '../request-context.js';
import { establishing } from './callers.js';
import { internalError, requestErrorOf, sendErrors } from './answer-errors.js';
import { readRequest } from './graphql-request.js';
import { mediaTypeFor } from './media-type.js';

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
}

/** Adds the POST route for operations. */
export function addGraphQLRoute(
  app: FastifyInstance,
  settings: GraphQLSettings,
  { documents, anonymousDocuments, execute, access, allowsAnonymous }: GraphQLRouteParts,
): void {
  const findText = textFinder(settings.persistedOperations);
  const isAnonymous = ({ caller }: RequestContext): boolean => caller === null && !access.isOpen;

  // After every onRequest hook: a rate limiter must count rejected requests as well.
  const hooks = access.isOpen ? {} : { preParsing: establishing(access, allowsAnonymous) };
  if (!app.hasRequestDecorator(requestProperty)) app.decorateRequest(requestProperty, null);
  app.post(settings.path, hooks, async (request, reply) => {
    // Another service on the same host may have authenticated the caller, for itself.
    const context = createRequestContext(request, access.isOpen ? null : callerOf(request));
    try {
      const { body } = request;
      const answer = Array.isArray(body) ? await batch(body, request, context) : await one(body, context);
      const { lastEventId } = context.http;
      if (lastEventId !== undefined) reply.header('svc-last-event', lastEventId);
      reply.type(mediaTypeFor(request));
      forbidSniffing(reply);
      return JSON.stringify(answer);
    } finally {
      context.http.end();
    }
  });

  async function one(body: unknown, context: RequestContext): Promise<Answer> {
    const request = readRequest(body);
    const found = findText(request);
    const text = typeof found === 'string' ? found : await found;
    const isPersisted = settings.persistedOperations !== null && request.id !== null;
    const prepared = isAnonymous(context) && !isPersisted ? anonymousDocuments : documents;
    const operation = prepared.operation(text, request.operationName);
    if (context.idempotencyKey !== undefined) requireOneMutation(operation);
    return await execute(operation, request.variables, context);
  }

  /** Each operation has its own result, also if another one fails. */
  async function batch(
    bodies: readonly unknown[],
    request: FastifyRequest,
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
        one(body, context).catch((error: unknown) => ({
          errors: requestErrorOf(error)?.errors ?? [internalError(request, error)],
        })),
      ),
    );
  }
}

const oneMutation =
  'An Idempotency-Key applies to one mutation. Send each mutation in its own operation with its own key.';

function requireOneMutation({ mutations }: PreparedOperation): void {
  if (mutations > 1) throw requestError(400, 'BAD_REQUEST', oneMutation);
}

/** Rejects every other method and names the allowed ones. */
export function rejectOtherMethods(app: FastifyInstance, path: string, methods: readonly string[]): void {
  app.route({
    method: [...methods],
    url: path,
    // Rejects the request without reading its body.
    preParsing: (request: FastifyRequest, reply: FastifyReply) => {
      const { errors } = requestError(405, 'METHOD_NOT_ALLOWED', 'Send operations with POST.');
      reply.header('allow', 'POST');
      sendErrors(request, reply, 405, errors);
    },
    handler: () => undefined,
  });
}
