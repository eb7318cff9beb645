import { Kind, type DocumentNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql';
import { requestError } from '../errors/index.js';
import type { GraphQLLimits } from '../options.js';

interface Size {
  readonly depth: number;
  readonly aliases: number;
  /** Fields of the top level. */
  readonly rootFields: number;
  /** Fields of all levels. */
  readonly fields: number;
}

/** Rejects a document that exceeds a limit. Runs before validation, whose time grows with the document. */
export function checkLimits(document: DocumentNode, limits: GraphQLLimits): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const sizes = new Map<string, Size>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { depth, aliases, rootFields, fields } = sizeOf(definition.selectionSet);
    if (depth > limits.depth) throw tooMuch(`is ${depth} fields deep`, `at most ${limits.depth}`);
    if (aliases > limits.aliases) throw tooMuch(`renames ${aliases} fields`, `at most ${limits.aliases}`);
    if (rootFields > limits.rootFields)
      throw tooMuch(`has ${rootFields} top-level fields`, `at most ${limits.rootFields}`);
    if (fields > limits.fields) throw tooMuch(`has ${fields} fields`, `at most ${limits.fields}`);
  }

  function sizeOf({ selections }: SelectionSetNode): Size {
    let depth = 0;
    let aliases = 0;
    let rootFields = 0;
    let fields = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        rootFields++;
        if (selection.alias !== undefined) aliases++;
        // An introspection is limited by the size of its result, not by depth.
        const isIntrospection = selection.name.value === '__schema' || selection.name.value === '__type';
        const inner = selection.selectionSet === undefined ? none : sizeOf(selection.selectionSet);
        depth = Math.max(depth, isIntrospection ? 1 : inner.depth + 1);
        aliases += inner.aliases;
        fields += inner.fields + 1;
      } else {
        const inner =
          selection.kind === Kind.INLINE_FRAGMENT ? sizeOf(selection.selectionSet) : fragmentSize(selection.name.value);
        depth = Math.max(depth, inner.depth);
        aliases += inner.aliases;
        rootFields += inner.rootFields;
        fields += inner.fields;
      }
    }
    return { depth, aliases, rootFields, fields };
  }

  function fragmentSize(name: string): Size {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    // A fragment that contains itself counts once here; validation rejects it.
    sizes.set(name, none);
    const fragment = fragments.get(name);
    const size = fragment === undefined ? none : sizeOf(fragment.selectionSet);
    sizes.set(name, size);
    return size;
  }
}

const none: Size = { depth: 0, aliases: 0, rootFields: 0, fields: 0 };

function tooMuch(what: string, limit: string): Error {
  return requestError(400, 'LIMIT_EXCEEDED', `The operation ${what}; ${limit} are allowed.`);
}
