/** A body that cannot be read, which is the fault of the client. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly statusCode: number;
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(statusCode: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.statusCode = statusCode;
    this.headers = headers;
  }
}
