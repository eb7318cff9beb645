/** The first setup file of the test process: which mutant is active, and which mutants the tests reach. */
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';

const { mutant, highest, ignored, records } = inject('svcMutation');
const loaded = 1;
const tested = 2;
const reached = records ? new Uint8Array(highest + 1) : null;
let phase = loaded;
let hasFailed = false;

globalThis.svcMutant =
  reached === null
    ? (number) => number === mutant
    : (number) => {
        reached[number] |= phase;
        return false;
      };

beforeAll(() => {
  phase = tested;
});

// One failed test is enough.
beforeEach(({ skip }) => {
  if (mutant > 0 && hasFailed) skip();
});

afterEach(({ task }) => {
  hasFailed ||= task.result?.state === 'fail' && !ignored.includes(task.fullTestName);
});

// oxlint-disable-next-line eslint/no-empty-pattern -- Vitest accepts only a pattern
afterAll(({}, file) => {
  if (reached !== null) file.meta.svcReached = { loaded: numbersOf(loaded), tested: numbersOf(tested) };
});

function numbersOf(bit) {
  const numbers = [];
  for (let number = 0; number < reached.length; number++) if ((reached[number] & bit) !== 0) numbers.push(number);
  return numbers;
}
