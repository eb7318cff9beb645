/**
 * Names code that creates many timers while a test has a fake clock. Test files share a process: what an earlier file has left polls as often as a
 * later file advances its clock, and can make it exceed its time.
 */
import { afterEach, beforeEach, expect, vi } from 'vitest';

/** More than a test that advances an hour needs in one place. */
const mostTimers = 2_000;

const install = vi.useFakeTimers.bind(vi);
let timers = new Map<string, number>();

vi.useFakeTimers = (options) => {
  install(options);
  const fake = globalThis.setTimeout;
  // Tests that fake only the date have the real one, which nothing would restore.
  if (!('clock' in fake)) return vi;
  const counted = (...args: Parameters<typeof setTimeout>): NodeJS.Timeout => {
    const { stack } = new Error('created');
    const place = stack!.split('\n').slice(2, 8).join('\n');
    timers.set(place, (timers.get(place) ?? 0) + 1);
    return fake(...args);
  };
  globalThis.setTimeout = Object.assign(counted, fake);
  return vi;
};

beforeEach(() => void (timers = new Map()));

afterEach(() => {
  const { testPath, currentTestName } = expect.getState();
  const many = [...timers].filter(([place, count]) => count > mostTimers && !place.includes(testPath!));
  for (const [place, count] of many) {
    console.error(`Created ${count} timers during "${currentTestName}", probably for an earlier file:\n${place}`);
  }
});
