import { readCustomEndpoint } from './custom-endpoints.js';
import { checkSnapshotCalls, readDecider } from './deciders.js';
import { readEndpoints } from './endpoints.js';
import type { ModuleFacts } from './facts.js';
import { classesOf } from './file-scan.js';
import { checkLenientCalls } from './lenient-diagnostics.js';
import { checkMarkers } from './markers.js';
import { readMessage } from './messages.js';
import type { ModuleContext } from './module-context.js';
import { checkPerspectiveCalls } from './perspective-queries.js';
import { readPerspective } from './perspectives.js';
import { checkProcessCalls, readProcess } from './processes.js';
import { checkReactionCalls, readReaction } from './reactions.js';
import { readReceptors } from './receptors.js';
import { checkRecurring } from './recurrence.js';
import { checkStoredAsCalls } from './stored-types.js';
import type { TypeDraft } from './types/index.js';

/** Reads all facts of one module. */
export function readModule(context: ModuleContext): ModuleFacts {
  const classes = classesOf(context.file.statements);
  for (const node of classes) checkMarkers(node, context);
  const messages = classes.map((node) => readMessage(node, context)).filter((message) => message !== null);
  const endpoints = readEndpoints(context);
  const receptors = classes.flatMap((node) => readReceptors(node, context));
  checkSnapshotCalls(context);
  const deciders = classes.map((node) => readDecider(node, context)).filter((found) => found !== null);
  checkPerspectiveCalls(context);
  checkRecurring(context);
  checkLenientCalls(context);
  checkStoredAsCalls(context);
  const perspectives = classes.map((node) => readPerspective(node, context)).filter((found) => found !== null);
  checkReactionCalls(context);
  const reactions = classes.map((node) => readReaction(node, context)).filter((found) => found !== null);
  checkProcessCalls(context);
  const processes = classes.map((node) => readProcess(node, context)).filter((found) => found !== null);
  const customEndpoints = classes.map((node) => readCustomEndpoint(node, context)).filter((custom) => custom !== null);
  return {
    messages,
    endpoints,
    receptors,
    deciders,
    perspectives,
    reactions,
    processes,
    customEndpoints,
    types: reachableTypes(context.typeIds, context.program.types.drafts),
    diagnostics: context.diagnostics,
  };
}

function reachableTypes(ids: Iterable<string>, drafts: ReadonlyMap<string, TypeDraft>): ReadonlyMap<string, TypeDraft> {
  const found = new Map<string, TypeDraft>();
  const pending = [...ids];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const draft = drafts.get(id);
    if (draft === undefined || found.has(id)) continue;
    found.set(id, draft);
    for (const reference of draft.references) pending.push(reference.id);
  }
  return found;
}
