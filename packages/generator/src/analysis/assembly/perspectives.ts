import type { PerspectiveModel } from '../../model/index.js';
import type { Located, ModuleFacts, PerspectiveFact } from '../facts.js';
import { shapeOf } from '../routes.js';
import type { Messages } from './messages.js';
import { byPlace, compareTexts } from './order.js';
import { processedEvents } from './processed-events.js';
import type { Reports } from './reports.js';

/** A perspective as a fact and as its model. */
export interface AssembledPerspective {
  readonly fact: PerspectiveFact;
  readonly model: PerspectiveModel;
}

/** The perspectives with generated code, sorted by name. */
export function assemblePerspectives(
  modules: readonly ModuleFacts[],
  messages: Messages,
  reports: Reports,
): AssembledPerspective[] {
  const byName = new Map<string, PerspectiveFact>();
  for (const fact of modules.flatMap(({ perspectives }) => perspectives).toSorted(byPlace)) {
    const other = byName.get(fact.name);
    if (other === undefined) byName.set(fact.name, fact);
    else reports.report(fact.at, 'SVC1605', fact.name, other.at.file);
  }
  checkQueries([...byName.values()], reports);
  checkRoutes([...byName.values()], reports);
  return [...byName.values()]
    .filter(({ isUsable }) => isUsable)
    .map((fact) => ({ fact, model: perspectiveModel(fact, messages, reports) }))
    .toSorted((a, b) => compareTexts(a.model.name, b.model.name));
}

function perspectiveModel(fact: PerspectiveFact, messages: Messages, reports: Reports): PerspectiveModel {
  const { name, module, model, columns, parameters, route, description } = fact;
  const events = processedEvents(fact, 'SVC1603', messages, reports);
  return {
    name,
    module,
    model: model.type,
    events,
    columns,
    parameters,
    route: route?.value ?? null,
    graphQLQuery: fact.graphQLQuery?.value ?? null,
    graphQLListQuery: fact.graphQLListQuery?.value ?? null,
    description,
  };
}

/** All queries are fields of one type. */
function checkQueries(facts: readonly PerspectiveFact[], reports: Reports): void {
  const owners = new Map<string, string>();
  const queries = facts
    .flatMap(({ name, graphQLQuery, graphQLListQuery }) =>
      [graphQLQuery, graphQLListQuery]
        .filter((query): query is Located<string> => query !== null)
        .map(({ value, at }) => ({ name, value, at })),
    )
    .toSorted(byPlace);
  for (const { name, value, at } of queries) {
    const other = owners.get(value);
    if (other === undefined) owners.set(value, name);
    else reports.report(at, 'SVC1703', value, name, other);
  }
}

/** The routes of a perspective: its list, its models, and the live queries of both. */
const servedBelow = ['', '/:id', '/live', '/:id/live'];

/** Routes of commands are POST routes, so that only perspectives can have the same ones. */
function checkRoutes(facts: readonly PerspectiveFact[], reports: Reports): void {
  const owners = new Map<string, PerspectiveFact>();
  for (const fact of facts) {
    // An empty route is none.
    if (fact.route === null || fact.route.value === '') continue;
    const { value, at } = fact.route;
    const routes = servedBelow.map((below) => ({ route: value + below, shape: shapeOf(value + below) }));
    const taken = routes.find(({ shape }) => owners.has(shape));
    if (taken !== undefined) reports.report(at, 'SVC1107', taken.route, fact.name, owners.get(taken.shape)!.name);
    for (const { shape } of routes) if (!owners.has(shape)) owners.set(shape, fact);
  }
}
