import { exec } from 'node:child_process';

const lastLines = 5;

/** Runs a shell command and answers with what it prints; throws with its last lines when it fails. */
export function runCommand(command: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    exec(command, { signal, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const tail = `${stdout}\n${stderr}`.trim().split('\n').slice(-lastLines).join(' | ');
      reject(new Error(`"${command}" failed${typeof error.code === 'number' ? ` with ${error.code}` : ''}: ${tail}`));
    });
  });
}
