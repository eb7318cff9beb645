import { run } from './cli.js';
import { consoleTerminal } from './console-terminal.js';

const code = await run(process.argv.slice(2), consoleTerminal());
// A process that ends by itself first waits for the engine to finish optimizing code that nobody will run.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
