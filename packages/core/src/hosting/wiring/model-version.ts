import { foldOrderVersion } from '../../perspectives/index.js';
import type { ScopeFilters } from '../../security/index.js';
import { shortHash } from '../../storage/index.js';
import { canonicalJson } from '../canonical-json.js';
import type { ServiceRegistry } from '../service-registry.js';

type Schemas = Readonly<Record<string, unknown>>;

/** What schemas say to people: it may change, and models are still what they were. */
const words: ReadonlySet<string> = new Set(['description', 'title', 'examples', 'deprecated']);

/**
 * The version of the models of a perspective: the one that was declared, the scope values that tell models apart, the order in
 * which they take events, and what the type of the models looks like. When it changes, stored models are not what this program would make of the same events.
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

/** How long a decimal of a caller may be. What was stored before there was a limit may be longer, and models are still what they were. */
function isLimitOfCallers(key: string, schema: object): boolean {
  return key === 'maxLength' && 'format' in schema && schema.format === 'decimal';
}

/** A schema with those it refers to, without words. */
function shapeOf(schema: unknown, schemas: Schemas): object {
  const referred: Record<string, unknown> = {};
  const visit = (value: unknown, isMap = false): unknown => {
    if (Array.isArray(value)) return value.map((one: unknown) => visit(one));
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(([key]) => isMap || !(words.has(key) || isLimitOfCallers(key, value)));
    const name = (value as { $ref?: unknown }).$ref;
    if (!isMap && typeof name === 'string') refer(name.slice(name.lastIndexOf('/') + 1));
    // The names in it are those of properties, whatever they are.
    return Object.fromEntries(kept.map(([key, part]) => [key, visit(part, !isMap && key === 'properties')]));
  };
  const refer = (name: string): void => {
    if (Object.hasOwn(referred, name)) return;
    referred[name] = null;
    referred[name] = visit(schemas[name]);
  };
  return { schema: visit(schema), referred };
}
