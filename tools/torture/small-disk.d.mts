export interface SmallDisk {
  readonly path: string;
  /** Takes all the room that is left. */
  fill(): void;
  /** Returns the room that `fill` took. */
  free(): void;
  remove(): void;
}

/** A file system in memory with little room. Null where this user may not mount one. */
export function createSmallDisk(path: string, megabytes: number): SmallDisk | null;
