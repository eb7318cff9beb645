export { answerErrors } from './answer-errors.js';
export { addGraphQLRoute, refuseOtherMethods } from './graphql-routes.js';
export { acceptJsonOnly } from './json-body.js';
