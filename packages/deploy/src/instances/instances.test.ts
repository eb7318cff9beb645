import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandRunner } from './command-runner.js';
import { InstanceRecords } from './instance-records.js';
import { ProcessRunner } from './process-runner.js';
import { birthOf, isAlive } from './processes.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-instances-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const place = { name: 'blue-1', environment: 'blue', address: '127.0.0.1:3001' };

describe('instances as processes', () => {
  const forever = `
    setInterval(() => {}, 1000);
    const { HOST, PORT, SVC_VERSION, SVC_ENVIRONMENT } = process.env;
    console.log('up', HOST, PORT, SVC_VERSION, SVC_ENVIRONMENT);`;
  const printed = async (): Promise<string> => {
    for (;;) {
      const log = readFileSync(join(folder, 'logs/blue-1.log'), 'utf8');
      if (log.endsWith('\n')) return log;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };

  it('start with their address, version and environment, outlive their deployer, and end on SIGTERM', async () => {
    const runner = new ProcessRunner([process.execPath, '-e', forever, '{slot}'], folder, 10_000);
    await runner.start(place, 'v1');
    expect(await runner.version(place)).toBe('v1');
    expect(await printed()).toBe('up 127.0.0.1 3001 v1 blue\n');
    const { pid, born } = (await new InstanceRecords(join(folder, 'instances')).read('blue-1'))!;
    // Another runner, as in the next command, finds it.
    await new ProcessRunner([], folder, 10_000).stop(place);
    expect(await isAlive(pid!, born!)).toBe(false);
    expect(await runner.version(place)).toBeNull();
  });

  it('have logs and records that only their owner can read', async () => {
    const runner = new ProcessRunner([process.execPath, '-e', forever], join(folder, 'state'), 10_000);
    const umask = process.umask(0);
    try {
      await runner.start(place, 'v1');
    } finally {
      process.umask(umask);
      await runner.stop(place);
    }
    const modeOf = (path: string): string => (statSync(join(folder, 'state', path)).mode & 0o777).toString(8);
    expect(['.', 'logs', 'logs/blue-1.log', 'instances'].map(modeOf)).toEqual(['700', '700', '600', '700']);
  });

  it('are not confused with another process that has the same pid', async () => {
    const records = new InstanceRecords(join(folder, 'instances'));
    await records.write('blue-1', { version: 'v1', pid: process.pid, born: 'before time' });
    const runner = new ProcessRunner([], folder, 1000);
    expect(await runner.version(place)).toBeNull();
    // Stopping it must not affect this process.
    await runner.stop(place);
    expect(await birthOf(process.pid)).not.toBeNull();
  });

  it('that do not drain in time are reported but not killed', async () => {
    const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("up")';
    const runner = new ProcessRunner([process.execPath, '-e', stubborn], folder, 300);
    await runner.start(place, 'v1');
    const { pid } = (await new InstanceRecords(join(folder, 'instances')).read('blue-1'))!;
    try {
      await printed();
      await expect(runner.stop(place)).rejects.toThrow('did not drain within 300 ms');
      expect(await runner.version(place)).toBe('v1');
    } finally {
      process.kill(pid!, 'SIGKILL');
    }
  });
});

describe('instances of a supervisor', () => {
  it('are started and stopped by its commands with their placeholders replaced', async () => {
    const log = join(folder, 'log');
    const commands = {
      start: `echo start {slot} {environment} {version} {host} {port} >> ${log}`,
      stop: `echo stop {slot} {version} >> ${log}`,
    };
    const runner = new CommandRunner(commands, folder, 10_000);
    await runner.stop(place);
    await runner.start(place, 'v1');
    expect(await runner.version(place)).toBe('v1');
    await runner.stop(place);
    expect(await runner.version(place)).toBeNull();
    expect(readFileSync(log, 'utf8')).toBe('start blue-1 blue v1 127.0.0.1 3001\nstop blue-1 v1\n');
  });

  it('report which command failed, without its secrets', async () => {
    const start = 'TOKEN=hunter2 sh -c "echo no room >&2; exit 3"';
    const runner = new CommandRunner({ start, stop: 'true' }, folder, 10_000);
    await expect(runner.start(place, 'v1')).rejects.toThrow(
      /^blue-1: the command haproxy\.start failed with 3: no room$/,
    );
    expect(await runner.version(place)).toBeNull();
  });

  it('that take too long to start fail', async () => {
    const runner = new CommandRunner({ start: 'exec sleep 60', stop: 'true' }, folder, 10);
    await expect(runner.start(place, 'v1')).rejects.toThrow('haproxy.start failed after 10 ms');
  });
});
