/** An error that reports a state, not a failure of code: its stack would only be long. */
export function withoutStack<TError extends Error>(error: TError): TError {
  error.stack = `${error.name}: ${error.message}`;
  return error;
}
