/** Programs that a release runs. */
import { spawnSync } from 'node:child_process';

/** What a program prints. Throws an error with everything that it printed if it fails. */
export function outputOf(root, command, args) {
  const { status, stdout, stderr, error } = run(root, command, args);
  if (error !== undefined) throw error;
  if (status === 0) return stdout;
  throw new Error(`"${command} ${args.join(' ')}" ended with ${status}.\n${stdout}${stderr}`);
}

export function run(root, command, args) {
  return spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
}

/** Runs a program in the terminal, where it may ask for a one-time password. */
export function runInTerminal(root, command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status === 0;
}
