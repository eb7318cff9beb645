/** Archives all events, and kills itself at a named point: `node killed-archiver.mjs <kind> <where> <folder> <point>`. */
import { around } from '@svc/core/hosting';
import { archiveEvents, folderArchive } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';

const [, , kind, where, folder, killedAt] = process.argv;

function pass(point) {
  if (point === killedAt) process.kill(process.pid, 'SIGKILL');
}

const storage = kind === 'sqlite' ? sqlite({ file: where }) : postgres({ url: where, leaseMs: 200 });
const store = folderArchive(folder);
await storage.open();
await archiveEvents(
  around(storage, {
    archive: around(storage.archive, {
      async commitFile(file, sequences) {
        pass('before-commit');
        const committing = storage.archive.commitFile(file, sequences);
        // Once the database has begun, and before it has answered.
        setTimeout(() => pass('during-commit'), 3);
        await committing;
        pass('after-commit');
      },
    }),
  }),
  around(store, {
    async write(name, content) {
      pass('before-write');
      const writing = store.write(name, content);
      setImmediate(() => pass('during-write'));
      await writing;
      pass('after-write');
    },
    async read(name) {
      const content = await store.read(name);
      pass('after-read');
      return content;
    },
  }),
  { before: new Date() },
);
await storage.close();
