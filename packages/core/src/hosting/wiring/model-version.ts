import { foldOrderVersion } from '../../perspectives/index.js';
import type { ScopeFilters } from '../../security/index.js';
import { shortHash } from '../../storage/index.js';
import { canonicalJson } from '../canonical-json.js';
import type { ServiceRegistry } from '../service-registry.js';

type Schemas = Readonly<Record<string, unknown>>;

/** The parts of a schema that are for people: they may change without a new model version. */
const words: ReadonlySet<string> = new Set(['description', 'title', 'examples', 'deprecated']);

/**
 * The version of the models of a perspective: the declared version, the scope values that own models, the order of events, and the schema of the
 * models. If it changes, this program would build other models from the same events.
 */
export function modelVersion(
  name: string,
  declared: number,
  owners: ScopeFilters,
  { models, components }: ServiceRegistry<never>['openapi'],
): string {
  const schema = ((models ?? {}) as Schemas)[name];
  const own = `${declared}.${owners}.${foldOrderVersion}`;
  if (schema === undefined) return own;
  return `${own}.${shortHash(canonicalJson(shapeOf(schema, components.schemas as Schemas)))}`;
}

/**
 * The version of the states of a decider: the declared version, its events, and the schema of its state. If it changes, this program would compute
 * another state from the same events.
 */
export function stateVersion(
  name: string,
  declared: number,
  eventTypes: readonly string[],
  { states, components }: ServiceRegistry<never>['openapi'],
): string {
  const schema = shapeOf(((states ?? {}) as Schemas)[name], components.schemas as Schemas);
  return `${declared}.${shortHash(canonicalJson({ events: eventTypes.toSorted(), schema }))}`;
}

/** The length limit of decimals applies to callers only: stored models may have longer ones, and adding it does not change the version. */
function isLimitOfCallers(key: string, schema: object): boolean {
  return key === 'maxLength' && isDecimal(schema);
}

/** A bound of a decimal is no part of the version, although the pattern shows its sign. */
const anyDecimal = '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$';

function isDecimal(schema: object): boolean {
  return 'format' in schema && schema.format === 'decimal';
}

/** A schema with its references resolved, without texts for people. */
function shapeOf(schema: unknown, schemas: Schemas): object {
  const referred: Record<string, unknown> = {};
  const visit = (value: unknown, isMap = false): unknown => {
    if (Array.isArray(value)) return value.map((one: unknown) => visit(one));
    if (typeof value !== 'object' || value === null) return value;
    const relevant = Object.entries(value).filter(
      ([key]) => isMap || !(words.has(key) || isLimitOfCallers(key, value)),
    );
    const name = (value as { $ref?: unknown }).$ref;
    if (!isMap && typeof name === 'string') refer(name.slice(name.lastIndexOf('/') + 1));
    // The keys of this object are property names, not keywords.
    return Object.fromEntries(
      relevant.map(([key, part]) => {
        if (!isMap && key === 'pattern' && isDecimal(value)) return [key, anyDecimal];
        return [key, visit(part, !isMap && key === 'properties')];
      }),
    );
  };
  const refer = (name: string): void => {
    if (Object.hasOwn(referred, name)) return;
    referred[name] = null;
    referred[name] = visit(schemas[name]);
  };
  return { schema: visit(schema), referred };
}
