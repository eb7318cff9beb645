import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { run } from '@svc/cli';
import { deployConfig, HaproxyPlatform, type CanaryProgress, type DeployConfig } from '@svc/deploy';
import { haproxyBinary } from './haproxy-binary.js';
import { waitFor } from './wait-for.js';

const cli = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** A program behind an HAProxy of its own, in a folder of its own, on the ports that it is given. */
export class HaproxyRig {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-deploy-'));
  readonly port: number;
  readonly config: DeployConfig;
  #haproxy: ChildProcess | undefined;

  /** @param program starts an instance; what else it is given follows its version */
  protected constructor(
    program: readonly string[],
    ports: readonly number[],
    slots: { blue: number; green: number },
    more: object = {},
  ) {
    const [listen, ...rest] = ports;
    this.port = listen!;
    const addresses = rest.map((port) => `127.0.0.1:${port}`);
    const [entry, ...args] = program;
    const settings = {
      service: 'orders',
      ...more,
      haproxy: {
        socket: 'haproxy.sock',
        listen: `127.0.0.1:${this.port}`,
        blue: addresses.slice(0, slots.blue),
        green: addresses.slice(slots.blue, slots.blue + slots.green),
        state: 'state',
        run: [process.execPath, entry, '{version}', ...args],
        probeMs: 100,
      },
    };
    writeFileSync(join(this.folder, 'deploy.json'), JSON.stringify(settings));
    this.config = deployConfig(settings, this.folder);
  }

  /** Changes deploy.json. */
  configure(changes: object): void {
    const file = join(this.folder, 'deploy.json');
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...changes }));
  }

  get platform(): HaproxyPlatform {
    const { service, critical, haproxy } = this.config;
    return new HaproxyPlatform({ service, critical, settings: haproxy! });
  }

  async startHaproxy(): Promise<void> {
    const file = join(this.folder, 'haproxy.cfg');
    await this.svc('haproxy-config', '--out', file);
    this.#haproxy = spawn(haproxyBinary(), ['-f', file], { stdio: 'ignore' });
    await waitFor(() => this.platform.split(), 'HAProxy is up');
  }

  async stopHaproxy(): Promise<void> {
    const haproxy = this.#haproxy;
    if (haproxy === undefined) return;
    this.#haproxy = undefined;
    const ended = once(haproxy, 'exit');
    haproxy.kill('SIGTERM');
    await ended;
  }

  /** Runs `svc deploy …` in this process. */
  async svc(...args: string[]): Promise<Ended> {
    const lines = { out: [] as string[], error: [] as string[] };
    const code = await run(['deploy', ...args, '--config', join(this.folder, 'deploy.json')], {
      out: (line) => lines.out.push(line),
      error: (line) => lines.error.push(line),
    });
    return { code, out: lines.out.join('\n'), error: lines.error.join('\n') };
  }

  /** Runs `svc deploy …` and throws unless it ends well. */
  async must(...args: string[]): Promise<string> {
    const { code, out, error } = await this.svc(...args);
    if (code !== 0) throw new Error(`svc deploy ${args.join(' ')} ended with ${code}: ${out} ${error}`);
    return out;
  }

  /** Runs `svc deploy canary --json` with short stages, and answers with what it told. */
  async canary(...args: string[]): Promise<{ code: number; progress: CanaryProgress[] }> {
    const { code, out, error } = await this.svc('canary', '--json', ...shortStages, ...args);
    if (out === '') throw new Error(error);
    return { code, progress: out.split('\n').map((line) => JSON.parse(line) as CanaryProgress) };
  }

  /** Runs `svc deploy …` in a process of its own, so that it can be killed. */
  controller(...args: string[]): ChildProcess {
    return spawn(process.execPath, [cli, 'deploy', ...args, '--config', join(this.folder, 'deploy.json')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  /** Where an instance listens: `green-1`. */
  addressOf(slot: string): string {
    const [environment, number] = slot.split('-') as ['blue' | 'green', string];
    return this.config.haproxy![environment][Number(number) - 1]!;
  }

  /** The weight with which HAProxy would begin if it were started now. */
  rememberedWeight(slot: string): number {
    const lines = readFileSync(join(this.folder, 'state/servers'), 'utf8').split('\n');
    const fields = lines
      .map((line) => line.split(' '))
      .find(([, backend, , name]) => backend === 'orders' && name === slot);
    return Number(fields?.[7]);
  }

  /** How often HAProxy has taken a server out because its probes failed. A machine that is busy enough makes them fail. */
  async timesDown(): Promise<number> {
    const [columns = '', ...rows] = (await text(connect(join(this.folder, 'haproxy.sock')).end('show stat\n'))).split(
      '\n',
    );
    const column = columns.split(',').indexOf('chkdown');
    return rows.reduce((sum, row) => sum + Number(row.split(',')[column] ?? 0), 0);
  }

  /** The process of an instance. */
  pidOf(slot: string): number {
    const record = JSON.parse(readFileSync(join(this.folder, 'state/instances', `${slot}.json`), 'utf8')) as {
      pid: number;
    };
    return record.pid;
  }

  async stop(): Promise<void> {
    await this.stopHaproxy();
    const folder = join(this.folder, 'state/instances');
    const records = existing(folder).map(
      (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as { pid: number },
    );
    for (const { pid } of records) kill(pid);
    await waitFor(() => records.every(({ pid }) => !isRunning(pid)), 'the instances end');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Enough requests for a verdict in less than a second; slow machines get more time. */
export const shortStages = ['--stage-time', '250ms', '--poll', '50ms', '--min-requests', '12', '--no-data-time', '30s'];

function existing(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
