/** Two processes on one SQLite file: one of them works on the perspectives, and the other takes over when it is gone. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newId, type Service } from '@svc/core';
import { sqlite } from '@svc/sqlite';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { countOf, startTraceService, streams, streamTraces } from './trace-service.mjs';

const host = fileURLToPath(new URL('serving-host.mjs', import.meta.url));
let file: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-processes-'));
  file = join(folder, 'data.db');
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

async function otherProcess(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [host, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (isRunning && child.kill('SIGKILL')) await once(child, 'exit');
  });
  await once(child.stdout, 'data');
  return child;
}

/** A service of this process whose leases nobody outlives, and how many batches it has kept. */
async function ownService(): Promise<{ service: Service; batches: () => number }> {
  let batches = 0;
  const storage = sqlite({ file, leaseMs: 3_600_000, pollMs: 3_600_000 });
  const commitPerspective = storage.perspectives.commitPerspective.bind(storage.perspectives);
  storage.perspectives.commitPerspective = (commit) => {
    batches++;
    return commitPerspective(commit);
  };
  const service = await startTraceService(storage);
  onTestFinished(() => service.stop());
  await service.idle();
  return { service, batches: () => batches };
}

async function untilProcessed(service: Service): Promise<void> {
  const id = newId();
  await countOf(service, streams[0]!, id);
  await service.lens(streamTraces).waitFor(id, { timeoutMs: 30_000 });
}

it.each([
  ['is killed', (child: ChildProcess) => void child.kill('SIGKILL')],
  ['stops', (child: ChildProcess) => void child.stdin!.end()],
])('the first process does all the work, until it %s', { timeout: 60_000 }, async (_how, end) => {
  const child = await otherProcess();
  const { service, batches } = await ownService();
  for (let i = 0; i < 5; i++) await untilProcessed(service);
  await service.idle();
  expect(batches()).toBe(0);
  end(child);
  await once(child, 'exit');
  // Its leases would last for an hour.
  await untilProcessed(service);
  expect(batches()).toBeGreaterThan(0);
});
