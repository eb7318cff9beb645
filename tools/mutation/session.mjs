/** Runs test files with a mutant, in a process that stays alive. */
import { Writable } from 'node:stream';
import { createVitest } from 'vitest/node';
import { mutationPlugin } from './plugin.mjs';
import { WarmPool } from './warm-pool.mjs';

/** What a new process needs to load the sources, on a busy machine. */
const startMs = 30_000;

/**
 * `firsts`: the number of the first mutant of each file that is mutated, by its path. `highest`: the highest number of all.
 */
export async function openSession({ root, config, firsts, highest }) {
  const pool = new WarmPool();
  /** The sources and the tests are loaded, and the tests start. */
  let onCollected = () => {};
  const quiet = { stdout: nowhere(), stderr: nowhere() };
  const vitest = await createVitest(
    'test',
    {
      root,
      config,
      watch: false,
      reporters: [{ onTestModuleCollected: () => onCollected() }],
      maxWorkers: 1,
      isolate: false,
      pool: pool.initializer(),
      bail: 0,
      // Cached sources would have the mutants of another run.
      experimental: { fsModuleCache: false },
    },
    { plugins: [mutationPlugin(firsts)], server: { watch: null } },
    quiet,
  );
  const project = vitest.getRootProject();
  let hasFailed = false;

  /**
   * One test file, with `mutant` active; 0: none. `ignored`: tests and suites that fail without a mutant as well. `records`: also returns the
   * mutants that were reached.
   */
  async function run(file, { mutant = 0, ignored = [], records = false, limitMs }) {
    project.provide('svcMutation', { mutant, highest, ignored, records });
    let isTimeout = false;
    const endAfter = (ms) =>
      setTimeout(() => {
        isTimeout = true;
        void restart();
      }, ms);
    let timer = endAfter(limitMs + (pool.isWarm() ? 0 : startMs));
    onCollected = () => {
      clearTimeout(timer);
      timer = endAfter(limitMs);
    };
    try {
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications([project.createSpecification(file)]);
      const module = testModules.find(({ moduleId }) => moduleId === file);
      const failures = isTimeout
        ? []
        : failuresOf(module, unhandledErrors).filter(({ name }) => !ignored.includes(name));
      if (failures.length > 0) hasFailed = true;
      return {
        isTimeout,
        failures,
        // Without the time to load the sources, which a process that has loaded them does not need.
        ms: module?.diagnostic().duration ?? 0,
        passed: passedIn(module),
        reached: module?.meta().svcReached ?? null,
      };
    } finally {
      onCollected = () => {};
      clearTimeout(timer);
      vitest.state.errorsSet.clear();
    }
  }

  /** The next test file runs in a new process. */
  async function restart() {
    hasFailed = false;
    await pool.kill();
  }

  return {
    run,
    restart,
    /** No test has failed in the process. */
    isClean: () => !hasFailed,
    async close() {
      await pool.kill();
      await vitest.close();
    },
  };
}

/** The tests and suites that failed, by name; an empty name: the file itself, or an error that belongs to no test. */
function failuresOf(module, unhandledErrors) {
  if (module === undefined) return [{ name: '', error: firstLine(unhandledErrors[0]) }];
  const suites = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
  const tests = [...module.children.allTests('failed')];
  const errors = [...module.errors(), ...unhandledErrors];
  return [
    ...tests.map((test) => ({ name: test.fullName, error: firstLine(test.result().errors[0]) })),
    ...suites.map((suite) => ({ name: suite.fullName, error: firstLine(suite.errors()[0]) })),
    ...errors.slice(0, 1).map((error) => ({ name: '', error: firstLine(error) })),
  ];
}

function passedIn(module) {
  return [...(module?.children.allTests('passed') ?? [])].length;
}

function firstLine(error) {
  return String(error?.message ?? 'failed')
    .split('\n', 1)[0]
    .slice(0, 200);
}

function nowhere() {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
