/** What the private servers of tests share: whether they accept connections, and a user to run as. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/** Whether a server accepts connections at a port of this machine. */
export function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** PostgreSQL and PgBouncer do not run as root: the user to run them as; null if the current user is not root. */
export function unprivilegedUser() {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const entry = ['postgres', 'nobody'].map((name) => users.find((line) => line.startsWith(`${name}:`))).find(Boolean);
  if (entry === undefined)
    throw new Error('PostgreSQL does not run as root, and neither of the users postgres and nobody exists.');
  const [, , uid, gid] = entry.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
