/** Runs the test files that reach a mutant until one of them fails. */

/** Longer than this, starting a new process takes less time than running the file again. */
const longMs = 2_000;

/**
 * `files`: the test files in their order, each with the milliseconds it takes without a mutant, those it may take, and the tests that are
 * ignored because they fail without a mutant as well. `isLoaded`: the mutant is only reached while the sources are loaded, so that each file
 * needs a new process.
 */
export async function judge(session, { number, isLoaded }, files) {
  for (const { file, ms, limitMs, ignored } of files) {
    if (isLoaded) await session.restart();
    const { isTimeout, failures } = await runConfirmed(session, file, { mutant: number, limitMs, ignored }, ms);
    if (isLoaded) await session.restart();
    if (isTimeout) return { status: 'timeout', by: file, failure: null };
    if (failures.length > 0) return { status: 'killed', by: file, failure: failureText(failures[0]) };
  }
  return { status: 'survived', by: null, failure: null };
}

/**
 * A test can also fail because an earlier mutant left something behind. So in a process in which a test has failed before, a file that fails
 * must pass without the mutant. Otherwise it runs again in a new process.
 */
async function runConfirmed(session, file, options, ms) {
  const wasClean = session.isClean();
  const result = await session.run(file, options);
  // The machine may have been busy.
  if (result.isTimeout) return await session.run(file, { ...options, limitMs: 2 * options.limitMs });
  if (wasClean || result.failures.length === 0) return result;
  if (ms < longMs) {
    const without = await session.run(file, { ...options, mutant: 0 });
    if (without.failures.length === 0 && !without.isTimeout) return result;
  }
  await session.restart();
  return await session.run(file, options);
}

function failureText({ name, error }) {
  return `${name === '' ? 'outside of the tests' : name}: ${error}`;
}
