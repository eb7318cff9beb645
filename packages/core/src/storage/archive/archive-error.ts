import { ServiceError } from '../../errors/index.js';

interface NamedFile {
  readonly name: string;
}

/** An archive file is missing or does not have the content that was archived. The events in it cannot be read until it is restored. */
export class ArchiveDamagedError extends ServiceError {
  readonly file: string;

  constructor({ name }: NamedFile, where: string, why: string, cause?: unknown) {
    super(
      'SVC_ARCHIVE_DAMAGED',
      `Cannot read events of the archive file "${name}" in ${where}: ${why}. Restore the file from a backup.`,
      { cause },
    );
    this.file = name;
  }
}

/** Events are in archive files, and the storage does not know where these are. */
export class ArchiveMissingError extends ServiceError {
  readonly file: string;

  constructor({ name }: NamedFile) {
    super(
      'SVC_ARCHIVE_MISSING',
      `Cannot read events of the archive file "${name}": the storage has no archive. Pass the option "archive", such as folderArchive('<folder>').`,
    );
    this.file = name;
  }
}

/** Events must not be archived yet. Files that were committed before stay committed. */
export class ArchiveRefusedError extends ServiceError {
  constructor(why: string) {
    super('SVC_ARCHIVE_REFUSED', `Cannot archive more events: ${why}`);
  }
}
