import { newId, type Uuid } from '@svc/core';
import { firstIdOf } from '@svc/core/storage';

/** An id that this process makes only later: other tests may have moved its clock ahead already. */
export function idAhead(ms: number): Uuid {
  const time = Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16) + ms;
  return `${firstIdOf(time).slice(0, 13)}${newId().slice(13)}` as Uuid;
}
