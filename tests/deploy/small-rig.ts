import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../tools/ports/index.mjs';
import { bundledProgram } from '../bundled-program.js';
import { HaproxyRig } from './haproxy-rig.js';
import { send } from './load.js';

const program = await bundledProgram(new URL('small-instance.mjs', import.meta.url));

/** Instances that start in a moment and need no database, behind an HAProxy: for what deployers do, not for what they deploy. */
export class SmallRig extends HaproxyRig {
  readonly #marks: string;

  private constructor(
    marks: string,
    ...rest: [ports: readonly number[], slots: { blue: number; green: number }, more: object]
  ) {
    super([program, marks], ...rest);
    this.#marks = marks;
  }

  static async start(slots: { blue: number; green: number }, instances = 1): Promise<SmallRig> {
    const marks = mkdtempSync(join(tmpdir(), 'svc-marks-'));
    const ports = await freePorts(1 + slots.blue + slots.green);
    const rig = new SmallRig(marks, ports, slots, { instances, critical: false });
    await rig.startHaproxy();
    return rig;
  }

  /** From now on, a version is not ready; with a slot, only the instance there. */
  hold(version: string, slot?: string): void {
    writeFileSync(this.#mark(version, slot), '');
  }

  release(version: string, slot?: string): void {
    rmSync(this.#mark(version, slot));
  }

  /** Asks the service, one request after the other, until it is told to stop. */
  ask(): Asking {
    return new Asking(this.port);
  }

  override async stop(): Promise<void> {
    await super.stop();
    rmSync(this.#marks, { recursive: true, force: true });
  }

  #mark(version: string, slot?: string): string {
    const port = slot === undefined ? '' : `-${this.addressOf(slot).split(':')[1]}`;
    return join(this.#marks, `${version}${port}.unready`);
  }
}

/** Requests and what became of them: versions that answered, and failures. */
export class Asking {
  /** The version of each answer. */
  readonly answers: string[] = [];
  readonly failures: string[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #done: Promise<void>;
  #isOver = false;

  constructor(port: number) {
    this.#done = this.#ask(port);
  }

  get requests(): number {
    return this.answers.length + this.failures.length;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#done;
    this.#agent.destroy();
  }

  async #ask(port: number): Promise<void> {
    while (!this.#isOver) {
      try {
        const { status, body } = await send(port, this.#agent, '/');
        if (status === 200) this.answers.push(body);
        else this.failures.push(`${status} from ${body}`);
      } catch (error) {
        this.failures.push(String(error));
      }
      // Room for the servers, which share this machine.
      await sleep(20);
    }
  }
}
