import { ValidationError, type Issue, type Service } from '@svc/core';
import { readPage, type LiveStep, type PerspectiveQuery } from '@svc/core/hosting';
import { modelReader, readerFor, type ToModel } from '../model-reader.js';
import { eventIn, numberOf, textOrNull, type Arguments } from '../query-arguments.js';
import { readFilters } from '../query-filters.js';
import type { SourceOf, SubscriptionSource } from '../schema/index.js';

/** The source of each subscription, by its name: that of the query for the same models. */
export function subscriptionSources<TServices extends object>(
  service: Service<TServices>,
): ReadonlyMap<string, SourceOf> {
  const sources = new Map<string, SourceOf>();
  for (const query of service.queries) {
    const { graphQLQuery, graphQLListQuery } = query.access;
    const toModel = modelReader(query.name, service);
    if (graphQLQuery !== null) sources.set(graphQLQuery, (field) => oneModel(query, readerFor(field, toModel)));
    if (graphQLListQuery !== null) sources.set(graphQLListQuery, () => list(query, toModel));
  }
  return sources;
}

function oneModel(query: PerspectiveQuery, toModel: ToModel): SubscriptionSource {
  return {
    query,
    keyOf: keyIn,
    watch: async (args, request) => {
      const issues: Issue[] = [];
      const event = eventIn(args, request, issues);
      if (issues.length > 0) throw new ValidationError(issues);
      return await query.watchOne(keyIn(args), request.caller, null, event, request);
    },
    valueOf: (step) => {
      const [model] = changedIn(step);
      return model === undefined ? null : toModel(model.body);
    },
  };
}

function list(query: PerspectiveQuery, toModel: ToModel): SubscriptionSource {
  return {
    query,
    keyOf: () => undefined,
    watch: async (args, request) => {
      const issues: Issue[] = [];
      const { page: _, ...asked } = readPage(null, numberOf(args['pageSize']), null, issues);
      const filters = readFilters(args['filter'], issues);
      const event = eventIn(args, request, issues);
      return await query.watch(
        { ...asked, filters, sort: textOrNull(args['sort']), after: null, issues },
        request.caller,
        textOrNull(args['since']),
        event,
        request,
      );
    },
    valueOf: (step) => ({
      place: step.place,
      keys: step.keys,
      changed: changedIn(step).map(({ key, body }) => ({ key, model: toModel(body) })),
    }),
  };
}

function changedIn(step: LiveStep): readonly { readonly key: string; readonly body: string }[] {
  return step.kind === 'page' ? step.models : step.upserts;
}

function keyIn(args: Arguments): string {
  return String(args['id']);
}
