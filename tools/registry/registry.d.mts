export interface PrivateRegistry {
  readonly url: string;
  /** The path of a file of npm settings. */
  readonly npmrc: string;
  /** Ends the process and deletes its folder. */
  remove(): Promise<void>;
}

export function createRegistry(scopes?: readonly string[]): Promise<PrivateRegistry>;
