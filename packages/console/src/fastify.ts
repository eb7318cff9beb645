import type { Service } from '@svc/core';
import { svcRoutes } from '@svc/fastify';
import type { FastifyPluginAsync } from 'fastify';
import { operatorConsole, type ConsoleOptions } from './console.js';

/**
 * Serves the operator console of a service in Fastify: `await app.register(svcConsole(service))`. The app can be another one than that of the API, such as one
 * that only the internal network reaches.
 */
export function svcConsole<TServices extends object>(
  service: Service<TServices>,
  options: ConsoleOptions = {},
): FastifyPluginAsync {
  return svcRoutes(service, operatorConsole(options));
}
