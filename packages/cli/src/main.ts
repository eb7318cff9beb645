import { run } from './cli.js';
import { consoleTerminal } from './console-terminal.js';

const code = await run(process.argv.slice(2), consoleTerminal());
// Exit explicitly: otherwise Node first waits until V8 has finished its background compilation.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
