/** Where archive files are: a folder, or object storage. A file is never changed. */
export interface ArchiveStore {
  /** The place, for messages. */
  readonly where: string;
  /** Writes a file durably. Its name contains a hash of its content, so a name that exists has the same content. */
  write(name: string, content: Uint8Array): Promise<void>;
  /** The content of a file; null: there is no such file. */
  read(name: string): Promise<Uint8Array | null>;
  /** The names of all files. */
  list(): Promise<readonly string[]>;
}
