/**
 * As little of a service as a deployment needs, which starts in a moment: `node small-instance.mjs <version> <folder>`. It answers with its
 * version, and is not ready while the folder holds `<version>.unready`, or `<version>-<port>.unready`. One whose version starts with `dead` ends
 * before it is ready, and one whose version starts with `bad` fails every fifth request.
 */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';

const [, , version, folder] = process.argv;
const { HOST, PORT } = process.env;
if (version.startsWith('dead')) process.exit(1);
const marks = [`${version}.unready`, `${version}-${PORT}.unready`];
let isDraining = false;
let requests = 0;

const statuses = {
  '/': () => (version.startsWith('bad') && (requests += 1) % 5 === 0 ? 500 : 200),
  '/health/live': () => 200,
  '/health/ready': () => (isDraining || marks.some((mark) => existsSync(`${folder}/${mark}`)) ? 503 : 200),
};

const server = createServer(({ url }, response) => {
  response.statusCode = statuses[url]?.() ?? 404;
  response.setHeader('x-orders-version', version);
  response.end(version);
});
server.listen(Number(PORT), HOST);
process.on('SIGTERM', () => {
  isDraining = true;
  server.close(() => process.exit());
  server.closeIdleConnections();
});
