import { fileURLToPath } from 'node:url';

/** The folder of this package. The bundles lie in `dist` itself, so this module is in `src` itself. */
export const packageFolder = fileURLToPath(new URL('..', import.meta.url));
