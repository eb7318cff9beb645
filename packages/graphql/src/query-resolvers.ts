import { ServiceError, ValidationError, type Issue, type Service } from '@svc/core';
import { readEventWait, readPage, readStoredModel, type EventWait, type PerspectiveQuery } from '@svc/core/hosting';
import { getNamedType } from 'graphql';
import { isLikelyDenied } from './denials.js';
import { fieldFailure } from './field-failure.js';
import { readFilters } from './query-filters.js';
import type { RequestContext } from './request-context.js';
import type { ResolverOf } from './schema/index.js';

type Arguments = Readonly<Record<string, unknown>>;
type Answer = (args: Arguments, request: RequestContext) => Promise<unknown>;

/** The resolver of each query, by its name. It returns the same models as REST, to the same callers. */
export function queryResolvers<TServices extends object>(service: Service<TServices>): ReadonlyMap<string, ResolverOf> {
  const resolvers = new Map<string, ResolverOf>();
  for (const query of service.queries) {
    const { graphQLQuery, graphQLListQuery } = query.access;
    const toModel = modelReader(query.name, service);
    if (graphQLQuery !== null) {
      resolvers.set(graphQLQuery, (field) => {
        // A model without a GraphQL type is returned as stored.
        const isJson = getNamedType(field.type).name === 'JSON';
        return answering(query, one(query, isJson ? (text) => JSON.parse(text) as unknown : toModel));
      });
    }
    if (graphQLListQuery !== null) resolvers.set(graphQLListQuery, () => answering(query, page(query, toModel)));
  }
  return resolvers;
}

type ToModel = (text: string) => unknown;

function modelReader<TServices extends object>(name: string, { registry }: Service<TServices>): ToModel {
  const descriptor = registry.perspectives?.find((found) => found.name === name);
  if (descriptor === undefined)
    throw new ServiceError('SVC_UNKNOWN_PERSPECTIVE', `${name} is not in the registry. Run svc generate.`);
  return (text) => readStoredModel(descriptor, text);
}

/** Null if the model does not exist or the caller may not see it. */
function one(query: PerspectiveQuery, toModel: ToModel): Answer {
  return async (args, request) => {
    const issues: Issue[] = [];
    const event = eventIn(args, request, issues);
    if (issues.length > 0) throw new ValidationError(issues);
    const text = await query.find(String(args['id']), request.caller, event, request);
    return text === null ? null : toModel(text);
  };
}

function page(query: PerspectiveQuery, toModel: ToModel): Answer {
  return async (args, request) => {
    const issues: Issue[] = [];
    const after = textOrNull(args['after']);
    const {
      page: number,
      pageSize,
      ...asked
    } = readPage(numberOf(args['page']), numberOf(args['pageSize']), after, issues);
    const filters = readFilters(args['filter'], issues);
    const event = eventIn(args, request, issues);
    const { items, next } = await query.list(
      { ...asked, filters, sort: textOrNull(args['sort']), after, issues },
      request.caller,
      event,
      request,
    );
    return { items: items.map(toModel), page: number, pageSize, hasMore: next !== null, next };
  };
}

function eventIn(args: Arguments, { http }: RequestContext, issues: Issue[]): EventWait | null {
  const signal = (): AbortSignal => http.signal;
  return readEventWait(textOrNull(args['afterEvent']), numberOf(args['waitSeconds']), signal, issues);
}

/** GraphQL has checked that it is a number. */
function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function answering({ access }: PerspectiveQuery, answer: Answer): ReturnType<ResolverOf> {
  return async (_root, args, { request }) => {
    const { caller, denials } = request;
    const run = (): Promise<unknown> => answer(args, request);
    try {
      // Only queries that will be denied wait for each other: they have no work to do.
      return await (isLikelyDenied(access, caller) ? denials.countingInTurn(run) : denials.counting(run));
    } catch (error) {
      throw fieldFailure(error, 'query', request);
    }
  };
}
