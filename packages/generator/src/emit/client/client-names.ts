import type { EndpointModel, NamedType, PerspectiveModel } from '../../model/index.js';
import { capitalised, identifierPart, uncapitalised } from '../names.js';
import type { Direction } from '../schema-types.js';

/** Words that cannot be the name of a constant, and globals that the module uses under their own names. */
const reserved =
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null operations package private protected public return static super switch this throw true try typeof undefined var void while with yield ' +
  'AbortController AbortSignal Array AsyncGenerator AsyncIterable Date Error Headers Infinity JSON Math NoInfer Number Object Pick Promise ReadableStream ReadableStreamDefaultReader Readonly ReadonlySet Record Response ReturnType Set String Symbol TextDecoder TypeError URL URLSearchParams Uint8Array WeakMap any bigint boolean clearTimeout crypto encodeURIComponent fetch globalThis never number object setTimeout string symbol unknown';

/** The names that a client declares, each once. */
export class ClientNames {
  readonly #taken: Set<string>;
  readonly #types = new Map<string, string>();

  /** @param taken what the runtime declares */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...reserved.split(' '), ...taken]);
  }

  /** A name that is unique in the module, as close to `wanted` as possible. */
  unique(wanted: string, suffix: string): string {
    let name = wanted;
    for (let i = 1; this.#taken.has(name); i++) name = `${wanted}${suffix}${i === 1 ? '' : i}`;
    this.#taken.add(name);
    return name;
  }

  /** Names types: by their own name; equal names of several modules are qualified by the module. */
  addTypes(types: readonly NamedType[], isTwofold: (id: string) => boolean): void {
    const count = new Map<string, number>();
    for (const { name } of types) count.set(name, (count.get(name) ?? 0) + 1);
    for (const { id, name, module } of types) {
      const wanted = capitalised(count.get(name) === 1 ? name : `${identifierPart(module ?? 'packages')}${name}`);
      const own = this.unique(wanted, 'Type');
      this.#types.set(`response ${id}`, own);
      this.#types.set(`request ${id}`, isTwofold(id) ? this.unique(`${own}Input`, 'Type') : own);
    }
  }

  type(id: string, direction: Direction): string {
    return this.#types.get(`${direction} ${id}`)!;
  }
}

/** An operation of the client, and the name of its constant. */
export interface Named<T> {
  readonly item: T;
  /** The name in the client: `createOrder`. */
  readonly key: string;
  /** The exported constant: the same, unless it is a reserved word. */
  readonly constant: string;
}

/** `CreateOrder` → `createOrder` */
export function nameCommands(endpoints: readonly EndpointModel[], names: ClientNames): Named<EndpointModel>[] {
  return endpoints.map((item) => {
    const key = uncapitalised(item.command);
    return { item, key, constant: names.unique(key, 'Command') };
  });
}

/** `/customer-reports/by-month` → `customerReportsByMonth` */
export function nameModels(
  perspectives: readonly PerspectiveModel[],
  commands: readonly Named<unknown>[],
  names: ClientNames,
): Named<PerspectiveModel>[] {
  const keys = new Set(commands.map(({ key }) => key));
  return perspectives.map((item) => {
    // A route can consist of signs, or begin with a digit.
    const part = identifierPart(item.route ?? '');
    const wanted = uncapitalised(/^[A-Za-z]/.test(part) ? part : item.name);
    let key = wanted;
    for (let i = 1; keys.has(key); i++) key = `${wanted}Models${i === 1 ? '' : i}`;
    keys.add(key);
    return { item, key, constant: names.unique(key, 'Models') };
  });
}
