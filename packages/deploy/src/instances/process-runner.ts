import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DeployError, messageOf } from '../deploy-error.js';
import { appendPrivately, privateFolder } from '../private-files.js';
import { InstanceRecords } from './instance-records.js';
import { filled, type InstanceRunner, type Place } from './instance-runner.js';
import { birthOf, isAlive, waitForEnd } from './processes.js';

/** Runs instances as separate processes that outlive the command that started them. Their output goes to log files. */
export class ProcessRunner implements InstanceRunner {
  readonly #command: readonly string[];
  readonly #folder: string;
  readonly #records: InstanceRecords;
  readonly #drainMs: number;

  constructor(command: readonly string[], folder: string, drainMs: number) {
    this.#command = command;
    this.#folder = folder;
    this.#records = new InstanceRecords(join(folder, 'instances'));
    this.#drainMs = drainMs;
  }

  async start(place: Place, version: string): Promise<void> {
    const [program, ...args] = this.#command.map((word) => filled(word, place, version));
    await privateFolder(join(this.#folder, 'logs'));
    const log = await appendPrivately(join(this.#folder, 'logs', `${place.name}.log`));
    try {
      const child = spawn(program!, args, {
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
        env: {
          ...process.env,
          HOST: filled('{host}', place, version),
          PORT: filled('{port}', place, version),
          SVC_VERSION: version,
          SVC_ENVIRONMENT: place.environment,
        },
      });
      await once(child, 'spawn');
      child.unref();
      const born = await birthOf(child.pid!);
      if (born === null) throw new Error('it exited at once');
      await this.#records.write(place.name, { version, pid: child.pid!, born });
    } catch (error) {
      // Without its arguments, which may contain a password.
      throw new DeployError('refused', `Cannot start ${place.name} with ${program}: ${messageOf(error)}`, {
        cause: error,
      });
    } finally {
      await log.close();
    }
  }

  async stop(place: Place): Promise<void> {
    const record = await this.#records.read(place.name);
    if (record?.pid !== undefined && record.born !== undefined && (await isAlive(record.pid, record.born))) {
      process.kill(record.pid, 'SIGTERM');
      if (!(await waitForEnd(record.pid, record.born, this.#drainMs))) {
        throw new DeployError(
          'refused',
          `${place.name} (process ${record.pid}) did not drain within ${this.#drainMs} ms and was not killed. Check its log for requests that do not end.`,
        );
      }
    }
    await this.#records.remove(place.name);
  }

  async version(place: Place): Promise<string | null> {
    const record = await this.#records.read(place.name);
    if (record?.pid === undefined || record.born === undefined) return null;
    return (await isAlive(record.pid, record.born)) ? record.version : null;
  }
}
