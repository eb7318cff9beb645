import type { Event } from '@svc/core';
import type { Role } from './role.js';

export class RoleAssigned implements Event {
  constructor(
    readonly userId: string,
    readonly role: Role,
  ) {}
}

export class RoleRevoked implements Event {
  constructor(
    readonly userId: string,
    readonly role: Role,
  ) {}
}
