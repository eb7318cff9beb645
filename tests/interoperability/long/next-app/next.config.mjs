import { fileURLToPath } from 'node:url';

// The folder of svc, which is outside of this one.
const root = fileURLToPath(new URL('../../../..', import.meta.url));

export default { turbopack: { root }, outputFileTracingRoot: root };
