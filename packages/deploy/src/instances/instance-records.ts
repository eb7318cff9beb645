import { join } from 'node:path';
import { StateFile } from '../state-file.js';

/** The instance that was started at a place. */
export interface InstanceRecord {
  readonly version: string;
  /** Only for processes that were started without a supervisor. */
  readonly pid?: number;
  /** Distinguishes the process from a later one with the same pid. */
  readonly born?: string;
}

/** One small file per place. */
export class InstanceRecords {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(name: string): Promise<InstanceRecord | null> {
    const text = await this.#file(name).read();
    return text === null ? null : (JSON.parse(text) as InstanceRecord);
  }

  write(name: string, record: InstanceRecord): Promise<void> {
    return this.#file(name).write(JSON.stringify(record));
  }

  remove(name: string): Promise<void> {
    return this.#file(name).write(null);
  }

  #file(name: string): StateFile {
    return new StateFile(join(this.#folder, `${name}.json`));
  }
}
