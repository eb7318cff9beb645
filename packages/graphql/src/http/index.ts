export { answerErrors } from './answer-errors.js';
export { addGraphQLRoutes, rejectOtherMethods } from './graphql-routes.js';
export { acceptJsonOnly } from './json-body.js';
