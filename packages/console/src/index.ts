export { operatorConsole, type ConsoleOptions } from './console.js';
export type { OidcOptions } from './oidc.js';
