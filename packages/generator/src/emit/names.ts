/** Names and paths of generated code. Paths are relative to the source root, with `/`, without extension. */
import type { NamedType } from '../model/index.js';

export const registryModule = 'generated/registry';
export const openapiModule = 'generated/openapi';
export const graphqlModule = 'generated/graphql';

/** Types declared in packages have no folder in the service: their readers and writers are next to the registry. */
const packagesModule = 'generated/packages.json';

/** The module with the readers and writers of a module's types: `orders/create-order` → `orders/generated/create-order.json`. */
export function jsonModule(module: string | null): string {
  return module === null ? packagesModule : `${inGenerated(module)}.json`;
}

/** `orders/generated/create-order.endpoint` for the command CreateOrder declared in a module of `orders`. */
export function endpointModule(commandModule: string, commandName: string): string {
  return inGenerated(`${folderOf(commandModule)}${kebabCase(commandName)}.endpoint`);
}

export function kebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}

/** The import specifier from one module to another: `../../shared/address.js`. */
export function importPath(from: string, to: string): string {
  const here = from.split('/').slice(0, -1);
  const there = to.split('/');
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared++;
  const up = here.length - shared;
  return `${up === 0 ? './' : '../'.repeat(up)}${there.slice(shared).join('/')}.js`;
}

/** Reads JSON into a plain value of the type. */
export function readerName(type: Pick<NamedType, 'name'>): string {
  return `read${capitalised(type.name)}`;
}

/** Reads JSON into an instance of a message's or request's class. */
export function messageReaderName(type: NamedType): string {
  return `${uncapitalised(type.name)}FromJson`;
}

export function writerName(type: Pick<NamedType, 'name'>): string {
  return `write${capitalised(type.name)}`;
}

export function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export function uncapitalised(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Any text as part of an identifier. */
export function identifierPart(text: string): string {
  if (/^[A-Za-z0-9]+$/.test(text)) return capitalised(text);
  return text
    .split(/[^A-Za-z0-9]+/)
    .map(capitalised)
    .join('');
}

function folderOf(module: string): string {
  return module.slice(0, module.lastIndexOf('/') + 1);
}

function inGenerated(module: string): string {
  return `${folderOf(module)}generated/${module.slice(module.lastIndexOf('/') + 1)}`;
}
