import { readFile } from 'node:fs/promises';

/** A flag: its variants by name, and the one that applies. */
export interface FlagDefinition {
  readonly state: 'ENABLED' | 'DISABLED';
  readonly variants: Readonly<Record<string, unknown>>;
  readonly defaultVariant: string;
}

export type FlagDefinitions = ReadonlyMap<string, FlagDefinition>;

/** Reads a file of flags, `{ "flags": { "<name>": { "state", "variants", "defaultVariant" } } }`. Throws if it is invalid. */
export async function readFlagFile(path: string): Promise<FlagDefinitions> {
  const value = JSON.parse(await readFile(path, 'utf8')) as { flags?: unknown };
  const { flags } = value;
  if (typeof flags !== 'object' || flags === null) throw new Error(`${path} must have an object "flags".`);
  return new Map(
    Object.entries(flags).map(([name, flag]) => [name, definitionOf(name, flag as Partial<FlagDefinition> | null)]),
  );
}

function definitionOf(name: string, flag: Partial<FlagDefinition> | null): FlagDefinition {
  if (typeof flag !== 'object' || flag === null) throw new Error(`Flag ${name} must be an object.`);
  const { state, variants, defaultVariant } = flag;
  if (state !== 'ENABLED' && state !== 'DISABLED')
    throw new Error(`The state of flag ${name} must be ENABLED or DISABLED.`);
  if (typeof variants !== 'object' || variants === null)
    throw new Error(`Flag ${name} must have an object "variants".`);
  if (typeof defaultVariant !== 'string' || !Object.hasOwn(variants, defaultVariant)) {
    throw new Error(`Flag ${name} has no variant "${String(defaultVariant)}", its defaultVariant.`);
  }
  // Ignoring a targeting rule would release the feature to all callers.
  if ('targeting' in flag)
    throw new Error(`Flag ${name} has targeting, which flag files do not support. Use another OpenFeature provider.`);
  return { state, variants, defaultVariant };
}
