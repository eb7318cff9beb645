import { accessSync, chmodSync, constants, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Folders on this file system are in memory, on Linux. */
const memory = '/dev/shm';
const prefix = 'svc-tests-';
/** The tests of a whole run need less than a tenth of it. */
const leastBytes = 4 * 1024 ** 3;

/**
 * Makes `tmpdir()` a folder in memory for this run, where there is room: databases and brokers of tests wait for the disk a third of their
 * time, and nothing in them has to survive the machine. `TMPDIR` names another folder.
 */
export default function setUp(): () => void {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return () => {};
  removeAbandoned();
  const folder = join(memory, prefix + process.pid);
  mkdirSync(folder);
  // As /tmp: servers run as another user.
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, availableMemory()) >= leastBytes;
  } catch {
    return false;
  }
}

function availableMemory(): number {
  const [, kilobytes = '0'] = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Removes the folders of runs that were killed. */
function removeAbandoned(): void {
  for (const name of readdirSync(memory).filter((one) => one.startsWith(prefix))) {
    if (!isRunning(Number(name.slice(prefix.length)))) rmSync(join(memory, name), { recursive: true, force: true });
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}
