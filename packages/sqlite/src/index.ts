export type { SqliteOptions } from './options.js';
export { sqlite, SqliteStorage } from './sqlite-storage.js';
