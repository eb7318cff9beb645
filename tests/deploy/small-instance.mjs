/**
 * As little of a service as a deployment needs, which starts in a moment: `node small-instance.mjs <version> <folder>`. It answers with its
 * version, and is not ready while the folder holds `<version>.unready`, or `<version>-<port>.unready`. One whose version starts with `dead` ends
 * before it is ready.
 */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';

const [, , version, folder] = process.argv;
const { HOST, PORT } = process.env;
if (version.startsWith('dead')) process.exit(1);
const marks = [`${version}.unready`, `${version}-${PORT}.unready`];
let isDraining = false;

const server = createServer(({ url }, response) => {
  const isReady = !isDraining && !marks.some((mark) => existsSync(`${folder}/${mark}`));
  response.statusCode = url === '/health/ready' && !isReady ? 503 : 200;
  response.end(version);
});
server.listen(Number(PORT), HOST);
process.on('SIGTERM', () => {
  isDraining = true;
  server.close(() => process.exit());
  server.closeIdleConnections();
});
