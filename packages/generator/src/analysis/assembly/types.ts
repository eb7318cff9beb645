import { problem, type Problem } from '../../diagnostics/index.js';
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
    this.#reportFloating({ id, where: this.#drafts.get(id)?.name ?? id }, at);
  }

  #followAll(references: readonly Reference[]): void {
    for (const { id, where, at } of references) {
      for (const finding of this.#asPart(id)) this.#reports.reportFinding(finding, null);
      if (at !== null) this.#reportFloating({ id, where }, at);
    }
  }

  #asPart(id: string): readonly Finding[] {
    return this.#constructed.has(id) ? [] : (this.#drafts.get(id)?.findingsAsPart ?? []);
  }

  /** Findings in a type of a package, or in the arguments of a generic type, are reported where the user names it. */
  #reportFloating({ id, where }: Omit<Reference, 'at'>, at: Location): void {
    for (const found of this.#floating(id, where, new Set())) this.#reports.reportFinding({ problem: found, at }, at);
  }

  #floating(id: string, where: string, seen: Set<string>): readonly Problem[] {
    const draft = this.#drafts.get(id);
    if (draft === undefined || seen.has(id)) return [];
    seen.add(id);
    const own = [...draft.findings, ...this.#asPart(id)].filter(({ at }) => at === null);
    const inner = draft.references
      .filter(({ at }) => at === null)
      .flatMap((reference) => this.#floating(reference.id, reference.where, seen));
    const all = [...own.map((finding) => finding.problem), ...inner];
    // The user cannot change a type of a package: its many problems are one.
    const isForeign = draft.module === null && all.length > 1;
    return isForeign ? [problem('SVC1052', where, nameIn(id), packageOf(id))] : all;
  }
}

/** `Billing.Order` of `@shop/contracts/dist/index#Billing.Order`. */
function nameIn(id: string): string {
  return id.slice(id.indexOf('#') + 1).replace(/<.*$/s, '');
}

/** `@shop/contracts` of `@shop/contracts/dist/index#Order`. */
function packageOf(id: string): string {
  const [place = ''] = id.split('#');
  return place.split('/', place.startsWith('@') ? 2 : 1).join('/');
}
