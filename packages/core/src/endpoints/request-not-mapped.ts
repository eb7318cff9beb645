import { ServiceError } from '../errors/index.js';

/** What a generated endpoint with a request type throws until its subclass overrides `mapRequestToCommand`. */
export function requestNotMapped(endpoint: string, request: string, command: string): ServiceError {
  return new ServiceError(
    'SVC_REQUEST_NOT_MAPPED',
    `${endpoint} does not say how a ${request} becomes a ${command}. Extend it and override mapRequestToCommand.`,
  );
}
