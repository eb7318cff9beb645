/** The state of the working tree. A release is what a commit contains. */
import { outputOf } from './commands.mjs';

export function commitOf(root) {
  return outputOf(root, 'git', ['rev-parse', '--short', 'HEAD']).trim();
}

/** Why the working tree cannot be released; empty if it can. */
export function treeFaults(root, when) {
  const changes = outputOf(root, 'git', ['status', '--porcelain']).split('\n').filter(Boolean);
  if (changes.length === 0) return [];
  const more = changes.length > 3 ? ` and ${changes.length - 3} more` : '';
  const named = changes.slice(0, 3).map((line) => line.slice(3));
  return [`The working tree has changes ${when}: ${named.join(', ')}${more}. Commit or remove them.`];
}
