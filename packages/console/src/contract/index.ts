export * from './common.js';
export * from './session.js';
