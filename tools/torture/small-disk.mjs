import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A file system in memory with little room, which can be filled. Null where this user may not mount one. */
export function createSmallDisk(path, megabytes) {
  mkdirSync(path, { recursive: true });
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  if (status !== 0) return null;
  return new SmallDisk(path);
}

class SmallDisk {
  path;
  #ballast;

  constructor(path) {
    this.path = path;
    this.#ballast = join(path, 'ballast');
  }

  /** Takes all the room that is left. */
  fill() {
    const file = openSync(this.#ballast, 'a');
    try {
      for (const size of [65_536, 4_096, 1]) writeUntilFull(file, Buffer.alloc(size));
    } finally {
      closeSync(file);
    }
  }

  /** Returns the room that `fill` took. */
  free() {
    rmSync(this.#ballast, { force: true });
  }

  remove() {
    spawnSync('umount', ['-l', this.path]);
  }
}

function writeUntilFull(file, block) {
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error;
  }
}
