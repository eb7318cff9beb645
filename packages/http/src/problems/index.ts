export { headersOf, problem, problemOfCommand, problemOfRequest, type Problem } from './problem.js';
export { problemTypes, problemUrn, type ProblemName, type ProblemType } from './problem-types.js';
export { RequestRejected } from './request-rejected.js';
export { invalidPath, methodNotAllowed, routeNotFound, tooLongPath } from './unmatched.js';
export { reportProblem, sendProblem } from './send-problem.js';
