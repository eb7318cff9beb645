/**
 * A host of examples/orders that erases customers until it kills itself at a named point of an erasure:
 * `node erasing-host.mjs <storage> <where> <point>`. Each line of its standard input is a customer to erase. It also runs requests of operators.
 */
import { createInterface } from 'node:readline';
import { around } from '@svc/core/hosting';
import { createHost } from '../../examples/orders/dist/host.js';
import { erasureSetup } from './erasure-setup.mjs';

const [, , kind, where, point] = process.argv;
/** Points count while a subject is being erased: perspectives commit and the log is read at other times, too. */
let isErasing = false;

function pass(name) {
  if (isErasing && name === point) process.kill(process.pid, 'SIGKILL');
}

/** Passes a point before a call, while the database works on it, and after it. */
async function passing(what, call) {
  pass(`before-${what}`);
  const calling = call();
  setImmediate(() => setImmediate(() => pass(`during-${what}`)));
  const result = await calling;
  pass(`after-${what}`);
  return result;
}

async function* passingRead(records) {
  pass('before-find');
  for await (const record of records) {
    pass('during-find');
    yield record;
  }
  pass('after-find');
}

const setup = erasureSetup(kind, where);
const inner = setup.storage;
/** The perspectives with personal data. */
const rebuilt = new Set(['CustomerOverviewPerspective', 'OrderSummaryPerspective']);
const emits = ({ events, outgoing }) =>
  [...events, ...outgoing.map(({ message }) => message)].some(({ type }) => type === 'svc.SubjectErased');
const storage = around(inner, {
  commit: (record, signal) => {
    const commit = () => inner.commit(record, signal);
    return emits(record) ? passing('emit', commit) : commit();
  },
  readAll: (after) => (isErasing ? passingRead(inner.readAll(after)) : inner.readAll(after)),
  subjectKeys: around(inner.subjectKeys, {
    destroy: (subject) => {
      isErasing = true;
      return passing('destroy', () => inner.subjectKeys.destroy(subject));
    },
    removeSealed: (keyIds) => passing('remove', () => inner.subjectKeys.removeSealed(keyIds)),
  }),
  perspectives: around(inner.perspectives, {
    commitPerspective: (commit) => {
      const write = () => inner.perspectives.commitPerspective(commit);
      return rebuilt.has(commit.perspective) ? passing('rebuild', write) : write();
    },
  }),
});
const { app, service } = await createHost({}, { ...setup, storage });
await app.ready();
await service.ready();
process.stdout.write('started\n');
for await (const subject of createInterface({ input: process.stdin })) {
  // On a busy machine, a connection can fail before the point is reached.
  const erase = () => service.erase(subject, { reason: 'Request 17' }).catch(erase);
  await erase();
}
