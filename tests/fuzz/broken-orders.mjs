/** The reference service with a defect of each kind that the fuzzer must find. It starts and stops as examples/orders does. */
import { messageOf, runAsHost } from '@svc/core';
import { authenticationFrom } from '../../examples/orders/dist/authentication.js';
import { createHost } from '../../examples/orders/dist/host.js';
import { chooseKeyVault } from '../../examples/orders/dist/key-vault.js';
import { AssignRole } from '../../examples/orders/dist/roles/assign-role.js';
import { chooseStorage } from '../../examples/orders/dist/storage.js';

const { storage } = chooseStorage(process.env);
const { keyVault } = chooseKeyVault(process.env, { isTrial: true });
const authentication = authenticationFrom(process.env);
const server = { logger: { level: 'error' } };
const notifier = { notify: () => Promise.resolve() };
const { app, service } = await createHost({ notifier }, { authentication, storage, keyVault, server });
await app.listen({ host: '127.0.0.1', port: 0 });

const [handle] = app.server.listeners('request');
/** The callers of all tenants. */
const callers = new Set();
let unanswered = 0;

const broken = {
  'GET /customers': (_request, response) => answer(response, 200, { items: [...callers] }),
  'GET /docs': (request) => request.socket.destroy(),
  'GET /health/live': (request, response) => setTimeout(() => handle(request, response), 1_200),
  'GET /health/ready': (request) => request.socket.end('HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n'),
  'POST /orders/pay': (_request, response) => {
    app.log.error('broken on purpose');
    answer(response, 500, {});
  },
  'POST /orders/cancel': (request, response) => {
    const command = messageOf(AssignRole, { userId: `user ${unanswered++}`, role: 'clerk' });
    void runAsHost(() => service.dispatcher.invoke(command, { scope: { tenantId: 'acme', userId: 'intruder' } }));
    handle(request, response);
  },
};

app.server.removeAllListeners('request');
app.server.on('request', (request, response) => {
  const { sub } = claimsOf(request.headers.authorization);
  if (sub !== undefined) callers.add(sub);
  (broken[`${request.method} ${request.url.split('?')[0]}`] ?? handle)(request, response);
});

process.once('SIGTERM', () => void app.close());
console.log(`OpenAPI http://127.0.0.1:${app.server.address().port}/openapi.json`);

function claimsOf(authorization = '') {
  try {
    return JSON.parse(Buffer.from(authorization.split('.')[1], 'base64url').toString());
  } catch {
    return {};
  }
}

function answer(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
