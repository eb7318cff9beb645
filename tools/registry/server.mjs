/** A registry for packages on a free port of this machine, as a process of its own: sends its URL to its parent and ends with it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runServer } from 'verdaccio';

const [folder] = process.argv.slice(2);
const config = join(folder, 'config.yaml');
const everyone = { access: '$all', publish: '$all', unpublish: '$all' };
writeFileSync(
  config,
  JSON.stringify({
    storage: join(folder, 'storage'),
    // No users: the folder and the port are private to the tests.
    auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: -1 } },
    packages: { '**': everyone },
    web: { enable: false },
    max_body_size: '50mb',
    log: { type: 'stdout', level: 'warn' },
  }),
);

const server = await runServer(config);
server.prependListener('request', (_request, response) => {
  // npm would store the packages of every run in its cache.
  response.setHeader('cache-control', 'no-store');
});
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}/`));
process.on('disconnect', () => process.exit());
