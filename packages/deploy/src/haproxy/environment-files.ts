import { join } from 'node:path';
import type { Environment } from '../platform/index.js';
import { StateFile } from '../state-file.js';

/** The wanted state of an environment. It outlives the instances, so that stopped instances can be started again. */
export interface WantedEnvironment {
  readonly version: string;
  readonly instances: number;
  /** Whether the version had all traffic and was not reverted. */
  readonly served: boolean;
}

/** One small file per environment, written before its instances are changed. */
export class EnvironmentFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(environment: Environment): Promise<WantedEnvironment | null> {
    const text = await this.#file(environment).read();
    return text === null ? null : (JSON.parse(text) as WantedEnvironment);
  }

  write(environment: Environment, wanted: WantedEnvironment): Promise<void> {
    return this.#file(environment).write(JSON.stringify(wanted));
  }

  /** Changes the version or its number of instances. A new number of the same version does not change `served`. */
  async change(environment: Environment, version: string, instances: number): Promise<void> {
    const before = await this.read(environment);
    const served = before?.version === version && before.served;
    await this.write(environment, { version, instances, served });
  }

  #file(environment: Environment): StateFile {
    return new StateFile(join(this.#folder, `${environment}.json`));
  }
}
