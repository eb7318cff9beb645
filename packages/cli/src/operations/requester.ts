import { userInfo } from 'node:os';
import { UsageError } from '../failures.js';

const maxNameLength = 200;

/** The operator to record: `--as`, or the user of the operating system. Access is controlled by the database alone. */
export function requester(as: string | undefined): string {
  if (as === undefined) return systemUser();
  const name = as.trim();
  if (name === '' || name.length > maxNameLength)
    throw new UsageError(`--as must be a name of 1 to ${maxNameLength} characters.`);
  return name;
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
