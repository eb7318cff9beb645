/** Errors between a host and its database: each side has its own classes, as two processes have. */
import { ConcurrencyConflictError } from '@svc/core';
import {
  DuplicateEventError,
  ForeignStreamError,
  IdempotencyKeyInUseError,
  LateEventError,
  MessageSettledError,
  PerspectiveMovedError,
  ReactionTakenOverError,
} from '@svc/core/storage';

const classes = {
  ConcurrencyConflictError,
  DuplicateEventError,
  ForeignStreamError,
  IdempotencyKeyInUseError,
  LateEventError,
  MessageSettledError,
  PerspectiveMovedError,
  ReactionTakenOverError,
  // A record that JSON cannot express.
  TypeError,
};

/** An error as data, to send to a host. Throws errors that a database does not answer with: they are defects. */
export function packed(error) {
  const kind = Object.keys(classes).find((name) => error instanceof classes[name]);
  if (kind === undefined) throw error;
  return { kind, message: error.message, fields: { ...error } };
}

/** The error that a database has answered with, of the classes of this host. */
export function unpacked({ kind, message, fields }) {
  return Object.assign(Object.setPrototypeOf(new Error(message), classes[kind].prototype), fields);
}
