import { readFile } from 'node:fs/promises';

/** One flag: its variants by name, and which of them applies. */
export interface FlagDefinition {
  readonly state: 'ENABLED' | 'DISABLED';
  readonly variants: Readonly<Record<string, unknown>>;
  readonly defaultVariant: string;
}

export type FlagDefinitions = ReadonlyMap<string, FlagDefinition>;

/** Reads a file of flags, `{ "flags": { "<name>": { "state", "variants", "defaultVariant" } } }`; throws what is wrong with it. */
export async function readFlagFile(path: string): Promise<FlagDefinitions> {
  const value = JSON.parse(await readFile(path, 'utf8')) as { flags?: unknown };
  const { flags } = value;
  if (typeof flags !== 'object' || flags === null) throw new Error(`${path} has no "flags".`);
  return new Map(
    Object.entries(flags).map(([name, flag]) => [name, definitionOf(name, flag as Partial<FlagDefinition> | null)]),
  );
}

function definitionOf(name: string, flag: Partial<FlagDefinition> | null): FlagDefinition {
  if (typeof flag !== 'object' || flag === null) throw new Error(`The flag ${name} is not an object.`);
  const { state, variants, defaultVariant } = flag;
  if (state !== 'ENABLED' && state !== 'DISABLED') throw new Error(`The flag ${name} is neither ENABLED nor DISABLED.`);
  if (typeof variants !== 'object' || variants === null) throw new Error(`The flag ${name} has no variants.`);
  if (typeof defaultVariant !== 'string' || !Object.hasOwn(variants, defaultVariant)) {
    throw new Error(`The flag ${name} has no variant "${String(defaultVariant)}".`);
  }
  // Taken for "for everybody", a rule about who gets what would release to everybody.
  if ('targeting' in flag) throw new Error(`The flag ${name} has targeting; that needs another OpenFeature provider.`);
  return { state, variants, defaultVariant };
}
