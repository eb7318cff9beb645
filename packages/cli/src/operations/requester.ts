import { userInfo } from 'node:os';
import { UsageError } from '../database/failures.js';

const longestName = 200;

/** Who asks: the user of the operating system, or whoever `--as` says. The database lets in whom it lets in; this is for the record. */
export function requester(as: string | undefined): string {
  if (as === undefined) return systemUser();
  const name = as.trim();
  if (name === '' || name.length > longestName)
    throw new UsageError(`--as is a name of 1 to ${longestName} characters.`);
  return name;
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user need not have a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
