export { answerErrors } from './answer-errors.js';
export { addGraphQLRoute, rejectOtherMethods } from './graphql-routes.js';
export { acceptJsonOnly } from './json-body.js';
