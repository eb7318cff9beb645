import { ValidationError, type Issue, type Service } from '@svc/core';
import { readPage, type PerspectiveQuery } from '@svc/core/hosting';
import { isLikelyDenied } from './denials.js';
import { fieldFailure } from './field-failure.js';
import { modelReader, readerFor, type ToModel } from './model-reader.js';
import { eventIn, numberOf, textOrNull, type Arguments } from './query-arguments.js';
import { readFilters } from './query-filters.js';
import type { RequestContext } from './request-context.js';
import type { ResolverOf } from './schema/index.js';

type Answer = (args: Arguments, request: RequestContext) => Promise<unknown>;

/** The resolver of each query, by its name. It returns the same models as REST, to the same callers. */
export function queryResolvers<TServices extends object>(service: Service<TServices>): ReadonlyMap<string, ResolverOf> {
  const resolvers = new Map<string, ResolverOf>();
  for (const query of service.queries) {
    const { graphQLQuery, graphQLListQuery } = query.access;
    const toModel = modelReader(query.name, service);
    if (graphQLQuery !== null) {
      resolvers.set(graphQLQuery, (field) => answering(query, one(query, readerFor(field, toModel))));
    }
    if (graphQLListQuery !== null) resolvers.set(graphQLListQuery, () => answering(query, page(query, toModel)));
  }
  return resolvers;
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
    if (issues.length === 0) request.countModels(pageSize);
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
