import { createRequire } from 'node:module';

/** Opens a file with the engine that svc uses on this version of Node. @param {string} file */
export function openSqlite(file) {
  const engine = process.getBuiltinModule?.('node:sqlite') ?? createRequire(import.meta.url)('@photostructure/sqlite');
  return new engine.DatabaseSync(file);
}
