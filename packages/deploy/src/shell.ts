import { exec } from 'node:child_process';

const lastLines = 5;
const maxBuffer = 64 * 1024 * 1024;

/** Runs a shell command and returns its output. Errors contain its last lines, but not the command, which may contain a password. */
export function runShell(
  command: string,
  { signal, timeoutMs = 0 }: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const limits = { maxBuffer, timeout: timeoutMs, ...(signal === undefined ? {} : { signal }) };
    exec(command, limits, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const tail = `${stdout}\n${stderr}`.trim().split('\n').slice(-lastLines).join(' | ');
      const how =
        error.killed === true && timeoutMs > 0 ? ` after ${timeoutMs} ms` : ` with ${error.code ?? error.signal}`;
      reject(new Error(`failed${how}${tail === '' ? '' : `: ${tail}`}`));
    });
  });
}
