/** Runs a command in several databases, one after another. */
import { printable } from '../printable.js';
import { ExitCode, type Terminal } from '../terminal.js';

export interface NamedRun {
  readonly name: string;
  readonly run: (terminal: Terminal) => Promise<ExitCode>;
}

/**
 * Names the database of all output. A database that fails does not stop the next one; an interruption and a wrong argument do. Returns the exit
 * code of the first that failed.
 */
export async function inEachDatabase(runs: readonly NamedRun[], json: boolean, terminal: Terminal): Promise<ExitCode> {
  const printed: object[] = [];
  let exitCode: ExitCode = ExitCode.ok;
  for (const { name, run } of runs) {
    const lines: string[] = [];
    if (!json) terminal.out(`${name === runs[0]!.name ? '' : '\n'}Database ${name}`);
    const code = await run({
      ...terminal,
      out: json ? (line) => void lines.push(line) : terminal.out,
      error: (line) => terminal.error(`Database ${name}: ${line}`),
      ...(terminal.failure !== undefined && {
        failure: (message, failed) => terminal.failure!(`Database ${name}: ${message}`, failed),
      }),
    });
    const output: unknown = lines.length === 0 ? null : JSON.parse(lines.join('\n'));
    printed.push({ name, exitCode: code, output });
    if (exitCode === ExitCode.ok) exitCode = code;
    if (code === ExitCode.usage || code === ExitCode.interrupted) break;
  }
  if (json) terminal.out(printable(JSON.stringify(printed, null, 2)));
  return exitCode;
}
