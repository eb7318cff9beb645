import { ServiceError } from '@svc/core';
import { NotFound, Rejection, UsageError } from '../failures.js';
import { ExitCode } from '../terminal.js';

/** The error that a command reports, without secrets. An error that svc does not know stays as it is. */
export function reportable(error: unknown, redacted: (text: string) => string): unknown {
  if (error instanceof UsageError) return new UsageError(redacted(error.message), { cause: error });
  if (error instanceof NotFound) return new NotFound(redacted(error.message), error.exitCode, { cause: error });
  if (error instanceof Rejection) return new Rejection(redacted(error.message), error.exitCode, { cause: error });
  if (!(error instanceof ServiceError)) return error;
  if (error.code === 'SVC_ARCHIVE_MISSING') return withoutArchive(error);
  const why = error.code === 'SVC_STORAGE_UNAVAILABLE' && error.cause instanceof Error ? ` ${error.cause.message}` : '';
  const exitCode = isUnreachable(error) ? ExitCode.unreachable : ExitCode.failed;
  return new Rejection(redacted(`${error.message}${why}`), exitCode, { cause: error });
}

function isUnreachable({ code, cause }: ServiceError): boolean {
  if (code === 'SVC_OPERATION_NOT_RECORDED') return cause instanceof ServiceError && isUnreachable(cause);
  return code === 'SVC_STORAGE_UNAVAILABLE';
}

/** The option of a storage is `--archive` here. */
function withoutArchive(error: ServiceError & { readonly file?: string }): Rejection {
  const what = `Cannot read events of the archive file "${error.file}": no archive is given.`;
  const fix = 'Pass --archive <folder>, with the folder that svc archive has written to.';
  return new Rejection(`${what} ${fix}`, ExitCode.failed, { cause: error });
}
