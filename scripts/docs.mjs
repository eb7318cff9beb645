/** Builds the documentation as a static site into tools/site/dist. With --serve, serves it and rebuilds at every change. */
import { ensureInstalled, requireNode, tool } from './lib/steps.mjs';

requireNode();
ensureInstalled();
const isServed = process.argv.includes('--serve');
tool('documentation', 'node_modules/vitepress/bin/vitepress.js', [isServed ? 'dev' : 'build', 'tools/site']);
