/** The machine on which the figures were measured. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, platform } from 'node:os';

/** @typedef {{ server: number, client: number } | null} Pinning the processors of the two sides; null: wherever the system puts them */

export function machine() {
  return {
    node: process.version,
    platform: `${platform()}-${process.arch}`,
    cpus: availableParallelism(),
    cpuModel: cpus()[0]?.model ?? 'unknown',
  };
}

/**
 * Two processors that do not share a core, so that the load does not slow down the server. Null if that is not possible: without
 * `taskset`, or with a single processor.
 *
 * @returns {Pinning}
 */
export function pinning() {
  if (platform() !== 'linux' || spawnSync('taskset', ['--version']).status !== 0) return null;
  const allowed = allowedProcessors();
  const [server] = allowed;
  if (server === undefined) return null;
  const siblings = siblingsOf(server);
  const client = allowed.find((cpu) => !siblings.includes(cpu));
  return client === undefined ? null : { server, client };
}

/**
 * @param {readonly string[]} command
 * @param {number | undefined} cpu
 */
export function pinned(command, cpu) {
  return cpu === undefined ? command : ['taskset', '-c', String(cpu), ...command];
}

function allowedProcessors() {
  const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return numbersOf(list);
}

/** @param {number} cpu */
function siblingsOf(cpu) {
  try {
    return numbersOf(readFileSync(`/sys/devices/system/cpu/cpu${cpu}/topology/thread_siblings_list`, 'utf8'));
  } catch {
    return [cpu];
  }
}

/** `0-2,5` is 0, 1, 2 and 5. @param {string} list */
function numbersOf(list) {
  return list
    .trim()
    .split(',')
    .flatMap((range) => {
      const [first = NaN, last = first] = range.split('-').map(Number);
      return Number.isInteger(first) ? Array.from({ length: last - first + 1 }, (_, i) => first + i) : [];
    });
}
