import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The start time of a process, which distinguishes it from others with the same pid; null if there is no such process. */
export async function birthOf(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    // The name in brackets may contain anything; the fields after it do not. A zombie counts as ended.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields === undefined || fields[0] === 'Z' ? null : (fields[19] ?? null);
  }
  const found = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => null);
  return found === null ? null : found.stdout.trim() || null;
}

export async function isAlive(pid: number, born: string): Promise<boolean> {
  return (await birthOf(pid)) === born;
}

/** Whether the process ends within the limit. */
export async function waitForEnd(pid: number, born: string, limitMs: number): Promise<boolean> {
  const end = Date.now() + limitMs;
  while (await isAlive(pid, born)) {
    if (Date.now() > end) return false;
    await sleep(20);
  }
  return true;
}
