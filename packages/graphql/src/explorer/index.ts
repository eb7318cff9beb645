import type { FastifyInstance } from 'fastify';
export function addExplorerRoutes(_app: FastifyInstance, _path: string): void {}
