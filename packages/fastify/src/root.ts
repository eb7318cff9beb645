import type { FastifyInstance } from 'fastify';

/** Fastify scopes inherit from their parent by prototype. */
export function rootOf(app: FastifyInstance): FastifyInstance {
  let root = app;
  for (
    let parent: object | null = app;
    parent !== null && 'addHook' in parent;
    parent = Object.getPrototypeOf(parent) as object | null
  ) {
    root = parent as FastifyInstance;
  }
  return root;
}
