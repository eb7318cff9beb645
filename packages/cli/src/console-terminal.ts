import { allowsColors } from './styles.js';
import type { Terminal } from './terminal.js';

/** The output of this process. The live line is erased before the next ordinary line is printed. */
export function consoleTerminal(): Terminal {
  const colors = { out: allowsColors(process.stdout), error: allowsColors(process.stderr) };
  if (!process.stdout.isTTY) return { out: console.log, error: console.error, colors };
  const wipe = (): void => void process.stdout.write('\r\u001B[K');
  return {
    out: (line) => {
      wipe();
      console.log(line);
    },
    error: (line) => {
      wipe();
      console.error(line);
    },
    live: (line) => {
      wipe();
      process.stdout.write(line.slice(0, process.stdout.columns - 1));
    },
    colors,
  };
}
