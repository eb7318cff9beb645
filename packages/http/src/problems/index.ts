export { headersOf, problem, problemOfCommand, problemOfRequest, type Problem } from './problem.js';
export { problemTypes, problemUrn, type ProblemName, type ProblemType } from './problem-types.js';
export { reportProblem, sendProblem } from './send-problem.js';
