/** Where an instance runs. */
export interface Place {
  /** Unique within the service. */
  readonly name: string;
  /** Blue or green. */
  readonly environment: string;
  /** `host:port` */
  readonly address: string;
}

/** Starts and stops the instances of a service on this machine, without a cluster. */
export interface InstanceRunner {
  /** Resolves once the instance is started. It may not be ready yet. */
  start(place: Place, version: string): Promise<void>;
  /** Lets the instance drain and resolves once it has ended. Does nothing if no instance runs there. */
  stop(place: Place): Promise<void>;
  /** The version that was started there and not stopped since; null: none. */
  version(place: Place): Promise<string | null>;
}

export function filled(text: string, { name, environment, address }: Place, version: string): string {
  const colon = address.lastIndexOf(':');
  const words: Record<string, string> = {
    version,
    slot: name,
    environment,
    host: address.slice(0, colon),
    port: address.slice(colon + 1),
  };
  return text.replace(/\{(version|slot|environment|host|port)\}/g, (_, word: string) => words[word]!);
}

/** Versions become part of command lines and file names. */
export const versionPattern = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/;
