/** Where an instance runs. */
export interface Place {
  /** Unique within the service. */
  readonly name: string;
  /** Blue or green. */
  readonly environment: string;
  /** `host:port` */
  readonly address: string;
}

/** Starts and stops the instances of a service on this machine, for whoever has no cluster to do it. */
export interface InstanceRunner {
  /** Resolves once it is started; it may not be ready yet. */
  start(place: Place, version: string): Promise<void>;
  /** Asks it to drain and resolves once it is gone. Nothing runs there: nothing to do. */
  stop(place: Place): Promise<void>;
  /** The version that was started there and was not stopped since; null: none. */
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

/** Versions end up in command lines and file names. */
export const versionPattern = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/;
