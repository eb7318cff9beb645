/** Builds the packages' modules. Their types are built by the compiler. */
import { fileURLToPath } from 'node:url';
import { bundlePackages } from './bundle.mjs';

await bundlePackages(fileURLToPath(new URL('../..', import.meta.url)));
