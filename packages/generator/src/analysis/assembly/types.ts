import type { NamedType } from '../../model/index.js';
import type { EndpointFact, MessageFact, ModuleFacts, ResultFact } from '../facts.js';
import type { Location } from '../locations.js';
import type { Finding, Reference, TypeDraft } from '../types/index.js';
import { findRecursive } from './recursion.js';
import type { Reports } from './reports.js';
import { uniqueNames } from './unique-names.js';

/** Users of types: messages and requests are constructed, results are plain data. */
export interface TypeUsers {
  readonly messages: readonly MessageFact[];
  readonly requests: readonly NonNullable<EndpointFact['request']>[];
  readonly results: readonly ResultFact[];
}

/** Every named type in use, sorted by id, with its findings. */
export function assembleTypes(modules: readonly ModuleFacts[], users: TypeUsers, reports: Reports): NamedType[] {
  const drafts = reachable(modules, users);
  new TypeChecks(drafts, reports).run(users);
  const names = uniqueNames(drafts.values());
  const recursive = findRecursive(drafts);
  return [...drafts.values()].map((draft) => namedType(draft, names.get(draft.id)!, recursive.has(draft.id)));
}

const namedTypes = new WeakMap<TypeDraft, NamedType>();

/** Returns the same object while nothing about it changes, so that caches can compare by identity. */
function namedType(draft: TypeDraft, name: string, isRecursive: boolean): NamedType {
  const before = namedTypes.get(draft);
  if (before?.name === name && before.isRecursive === isRecursive) return before;
  const { id, module, exportName, isClass, constructorProperties, description, type } = draft;
  const named = { id, name, module, exportName, isClass, constructorProperties, isRecursive, description, type };
  namedTypes.set(draft, named);
  return named;
}

function reachable(modules: readonly ModuleFacts[], users: TypeUsers): Map<string, TypeDraft> {
  const known = new Map(modules.flatMap(({ types }) => [...types]));
  const found = new Set<string>([
    ...users.messages.map(({ typeId }) => typeId),
    ...users.requests.map(({ value }) => value.typeId),
    ...users.results.flatMap(({ references }) => references.map(({ id }) => id)),
  ]);
  // Iterating a Set also visits members added on the way.
  for (const id of found) for (const reference of known.get(id)?.references ?? []) found.add(reference.id);
  return new Map([...found].toSorted().flatMap((id) => (known.has(id) ? [[id, known.get(id)!]] : [])));
}

/** Reports the findings of the types in use. Findings without a location are reported where the types are used. */
class TypeChecks {
  readonly #drafts: ReadonlyMap<string, TypeDraft>;
  readonly #reports: Reports;
  readonly #constructed = new Set<string>();

  constructor(drafts: ReadonlyMap<string, TypeDraft>, reports: Reports) {
    this.#drafts = drafts;
    this.#reports = reports;
  }

  run({ messages, requests, results }: TypeUsers): void {
    for (const { typeId, at } of messages) this.#reportConstructed(typeId, at);
    for (const { value, at } of requests) this.#reportConstructed(value.typeId, at);
    for (const draft of this.#drafts.values()) {
      for (const finding of draft.findings) this.#reports.reportFinding(finding, null);
      this.#followAll(draft.references);
    }
    for (const { findings, references } of results) {
      for (const finding of findings) this.#reports.reportFinding(finding, null);
      this.#followAll(references);
    }
  }

  #reportConstructed(id: string, at: Location): void {
    this.#constructed.add(id);
    for (const finding of this.#drafts.get(id)?.findingsAsRoot ?? []) this.#reports.reportFinding(finding, at);
    this.#reportFloating(id, at, new Set());
  }

  #followAll(references: readonly Reference[]): void {
    for (const { id, at } of references) {
      for (const finding of this.#asPart(id)) this.#reports.reportFinding(finding, null);
      if (at !== null) this.#reportFloating(id, at, new Set());
    }
  }

  #asPart(id: string): readonly Finding[] {
    return this.#constructed.has(id) ? [] : (this.#drafts.get(id)?.findingsAsPart ?? []);
  }

  /** Findings in a type of a package, or in the arguments of a generic type, are reported where the user names it. */
  #reportFloating(id: string, at: Location, seen: Set<string>): void {
    const draft = this.#drafts.get(id);
    if (draft === undefined || seen.has(id)) return;
    seen.add(id);
    for (const finding of [...draft.findings, ...this.#asPart(id)]) {
      if (finding.at === null) this.#reports.reportFinding(finding, at);
    }
    for (const reference of draft.references) {
      if (reference.at === null) this.#reportFloating(reference.id, at, seen);
    }
  }
}
