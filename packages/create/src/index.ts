export { newService, type NewServiceCode, type Output } from './new-service.js';
export type { QuestionStreams } from './questions.js';
