export { operationRoutes } from './graphql-routes.js';
