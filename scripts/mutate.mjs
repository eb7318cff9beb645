/** Changes sources one operator at a time, and reports what no test notices: npm run mutate -- packages/core/src/transport. */
import { become, ensureInstalled, requireNode } from './lib/steps.mjs';

requireNode();
ensureInstalled();
become(process.execPath, ['tools/mutation/main.mjs', ...process.argv.slice(2)]);
