export * from './common.js';
export * from './overview.js';
export * from './session.js';
export * from './sign-in.js';
