import { readdirSync, readFileSync } from 'node:fs';

/** The units of time in `/proc`: 100 a second on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** The processor time that a server and its child processes have used, in seconds; NaN where there is no `/proc`. @param {number} id */
export function serverSeconds(id) {
  try {
    const own = fieldsOf(String(id));
    // With the time of children that have ended.
    let ticks = sum(own, 11, 15);
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/u.test(name)) continue;
      try {
        const fields = fieldsOf(name);
        if (Number(fields[1]) === id) ticks += sum(fields, 11, 13);
      } catch {
        // It has ended since.
      }
    }
    return ticks / ticksPerSecond;
  } catch {
    return NaN;
  }
}

/** The fields after the name of the program, which may contain spaces. @param {string} id */
function fieldsOf(id) {
  const text = readFileSync(`/proc/${id}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** @param {readonly string[]} fields @param {number} from @param {number} to */
function sum(fields, from, to) {
  return fields.slice(from, to).reduce((total, field) => total + Number(field), 0);
}
