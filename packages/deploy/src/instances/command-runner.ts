import { join } from 'node:path';
import { DeployError, messageOf } from '../deploy-error.js';
import { runShell } from '../shell.js';
import { InstanceRecords } from './instance-records.js';
import { filled, type InstanceRunner, type Place } from './instance-runner.js';

/** Leaves instances to a supervisor such as systemd: two shell commands, which end once the instance is started or stopped. */
export class CommandRunner implements InstanceRunner {
  readonly #commands: { readonly start: string; readonly stop: string };
  readonly #records: InstanceRecords;
  readonly #timeoutMs: number;

  constructor(commands: { readonly start: string; readonly stop: string }, folder: string, timeoutMs: number) {
    this.#commands = commands;
    this.#records = new InstanceRecords(join(folder, 'instances'));
    this.#timeoutMs = timeoutMs;
  }

  async start(place: Place, version: string): Promise<void> {
    await this.#run('start', place, version);
    await this.#records.write(place.name, { version });
  }

  async stop(place: Place): Promise<void> {
    const record = await this.#records.read(place.name);
    if (record === null) return;
    await this.#run('stop', place, record.version);
    await this.#records.remove(place.name);
  }

  async version(place: Place): Promise<string | null> {
    return (await this.#records.read(place.name))?.version ?? null;
  }

  async #run(what: 'start' | 'stop', place: Place, version: string): Promise<void> {
    try {
      await runShell(filled(this.#commands[what], place, version), { timeoutMs: this.#timeoutMs });
    } catch (error) {
      throw new DeployError('refused', `${place.name}: the command haproxy.${what} ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
}
