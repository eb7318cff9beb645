/** Builds the documentation as a static site into tools/site/dist. With --serve, serves it and rebuilds at every change. */
import { join } from 'node:path';
import { ensureInstalled, requireNode, root, tool } from './lib/steps.mjs';

requireNode();
ensureInstalled();
ensureInstalled(join(root, 'tools/site'));
const isServed = process.argv.includes('--serve');
tool('documentation', 'tools/site/node_modules/vitepress/bin/vitepress.js', [isServed ? 'dev' : 'build', 'tools/site']);
