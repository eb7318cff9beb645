import { ServiceError } from '../errors/index.js';

/** The error that a generated endpoint with a request type throws until a subclass overrides `mapRequestToCommand`. */
export function requestNotMapped(endpoint: string, request: string, command: string): ServiceError {
  return new ServiceError(
    'SVC_REQUEST_NOT_MAPPED',
    `${endpoint} does not map ${request} to ${command}. Extend the class and override mapRequestToCommand.`,
  );
}
