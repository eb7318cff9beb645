/** Kills and stops real parts under load: npm run torture -- kills --count 1000. */
import { become, ensureInstalled, requireNode, tool } from './lib/steps.mjs';

requireNode();
ensureInstalled();
// Hosts run the packages as they are built.
tool('bundle the packages', 'tools/build/main.mjs', []);
become(process.execPath, ['tools/torture/main.mjs', ...process.argv.slice(2)]);
