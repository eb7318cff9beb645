/**
 * A multi-stage build. The final image has no compiler, no development packages and no sources. The service runs as an unprivileged
 * user on a read-only file system. With `sqlite`, the database is a file in `.svc`, which is a volume.
 */
export function dockerfile({
  node = '22',
  sqlite = false,
}: { readonly node?: string; readonly sqlite?: boolean } = {}): string {
  return `# Written by svc deploy manifests --dockerfile.
FROM node:${node}-slim AS build
WORKDIR /service
# With .npmrc, if there is one: it names the registries. It stays in this stage.
COPY package.json package-lock.json .npmrc* ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:${node}-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /service
${sqlite ? 'RUN mkdir .svc && chown node:node .svc\n' : ''}COPY --from=build --chown=root:root /service/package.json ./
COPY --from=build --chown=root:root /service/node_modules ./node_modules
COPY --from=build --chown=root:root /service/dist ./dist
# The user "node" of the image; by number, so that a cluster can tell that it is not root.
USER 1000:1000
${sqlite ? '# The database. Mount a volume here: without one, the events are lost with the container.\nVOLUME /service/.svc\n' : ''}EXPOSE 3000
# No shell in between and no npm: signals reach the service itself, which drains on SIGTERM.
ENTRYPOINT ["node", "--enable-source-maps", "dist/main.js"]
`;
}

/** Excludes build output, data and secrets from the build context. */
export function dockerignore(): string {
  return `node_modules
dist
.svc
.git
.env
`;
}
