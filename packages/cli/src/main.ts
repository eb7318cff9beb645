import { run } from './cli.js';
import { consoleTerminal } from './console-terminal.js';

process.exitCode = await run(process.argv.slice(2), consoleTerminal());
