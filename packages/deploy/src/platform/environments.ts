/** The two complete environments of a service. They take turns; neither is always the old or the new one. */
export const environments = ['blue', 'green'] as const;
/** The name of an environment: `blue` or `green`. */
export type Environment = (typeof environments)[number];
/** One value for each environment. */
export type PerEnvironment<T> = Readonly<Record<Environment, T>>;

/** Percent of the requests that no header forces. The sum is 100. */
export type Split = PerEnvironment<number>;

/** The other environment: green for blue, blue for green. */
export function otherThan(environment: Environment): Environment {
  return environment === 'blue' ? 'green' : 'blue';
}

/** The split that gives `share` percent to one environment and the rest to the other. */
export function splitOf(environment: Environment, share: number): Split {
  return environment === 'blue' ? { blue: share, green: 100 - share } : { blue: 100 - share, green: share };
}

/** The environment with all traffic; null while both have some. */
export function ownerOf(split: Split): Environment | null {
  return environments.find((environment) => split[environment] === 100) ?? null;
}

/** Whether two splits give each environment the same percentage. */
export function isSameSplit(a: Split, b: Split): boolean {
  return environments.every((environment) => a[environment] === b[environment]);
}

export function perEnvironment<T>(valueOf: (environment: Environment) => T): PerEnvironment<T> {
  return { blue: valueOf('blue'), green: valueOf('green') };
}
