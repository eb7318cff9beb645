/** A child process of the command. It runs test files one at a time, and judges mutants with them. */
import { isBroken } from './coverage-map.mjs';
import { judge } from './judge.mjs';
import { openSession } from './session.mjs';

let session = null;

const tasks = {
  async open({ firsts, ...options }) {
    session = await openSession({ ...options, firsts: new Map(firsts) });
  },
  /** A file that fails as a whole runs again in a new process, in which no other file can have left something behind. */
  async record({ file, limitMs }) {
    const result = await session.run(file, { records: true, limitMs });
    if (!isBroken(result) && !result.isTimeout) return result;
    await session.restart();
    return await session.run(file, { records: true, limitMs });
  },
  judge: ({ mutant, files }) => judge(session, mutant, files),
};

process.on('message', ({ id, task, input }) => {
  tasks[task](input).then(
    (result) => process.send({ id, result }),
    (error) => process.send({ id, error: error instanceof Error ? error.stack : String(error) }),
  );
});

// The command has ended.
process.on('disconnect', () => {
  void Promise.resolve(session?.close()).finally(() => process.exit());
});
