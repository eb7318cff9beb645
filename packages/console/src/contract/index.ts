export * from './common.js';
export * from './overview.js';
export * from './session.js';
