import type { ConstructorParameter } from '../model/index.js';
import { indented } from './source-file.js';

/** The factory of a class in the registry: `(host, services) => new Class(…)`. */
export function creation(className: string, parameters: readonly ConstructorParameter[], services: Services): string {
  const values = parameters.map((parameter, i) =>
    parameter.kind === 'service' ? services.use(className, parameter, i) : `host.${parameter.kind}`,
  );
  const needsServices = parameters.some(({ kind }) => kind === 'service');
  const needsHost = parameters.some(({ kind }) => kind !== 'service');
  const needs = needsServices ? [needsHost ? 'host' : '_host', 'services'] : needsHost ? ['host'] : [];
  return `(${needs.join(', ')}) => new ${className}(${values.join(', ')})`;
}

/** The services of all constructors, by parameter name. If two constructors share a name, its type is the intersection. */
export class Services {
  readonly #types = new Map<string, { types: string[]; optional: boolean }>();

  use(className: string, parameter: ConstructorParameter, index: number): string {
    const known = this.#types.get(parameter.name);
    const type = `ConstructorParameters<typeof ${className}>[${index}]`;
    this.#types.set(parameter.name, {
      types: [...(known?.types ?? []), type],
      optional: parameter.optional && (known?.optional ?? true),
    });
    return `services.${parameter.name}`;
  }

  /** The names of those that are not optional. */
  get required(): readonly string[] {
    return [...this.#types].flatMap(([name, { optional }]) => (optional ? [] : [name])).toSorted();
  }

  declaration(users: string): string {
    const about = `/** The constructor parameters of ${users}, by name. */`;
    const members = [...this.#types]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([name, { types, optional }]) => `  readonly ${name}${optional ? '?' : ''}: ${types.toSorted().join(' & ')};`,
      );
    if (members.length === 0) return `${about}\nexport type Services = object;`;
    return `${about}\nexport interface Services {\n${members.join('\n')}\n}`;
  }
}

export function list(name: string, entries: readonly string[]): string {
  return entries.length === 0 ? `${name}: [],` : `${name}: [\n${indented(entries.join('\n'))}\n],`;
}

export function object(members: readonly string[]): string {
  return `{\n${indented(members.map((text) => `${text},`).join('\n'))}\n},`;
}
