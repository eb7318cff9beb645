/**
 * The databases on which a test kills hosts at random moments. Such a test takes seconds of processor time on each, so the seed selects one; with
 * `SVC_TEST_KILLS`, it runs on all.
 */
export function killedDatabases(databases: object, seed: number): readonly string[] {
  const kinds = Object.keys(databases);
  // Not the last digits, which select the points.
  return process.env['SVC_TEST_KILLS'] === undefined ? [kinds[Math.floor(seed / 97) % kinds.length]!] : kinds;
}
