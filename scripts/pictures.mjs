/** Builds the service of examples/orders, and writes the pictures of the documentation into docs/pictures. */
import { build, buildPages, ensureInstalled, requireNode, tool } from './lib/steps.mjs';

requireNode();
ensureInstalled();
buildPages();
build('build the service', ['examples/orders']);
tool('pictures', 'tools/pictures/main.mjs', []);
