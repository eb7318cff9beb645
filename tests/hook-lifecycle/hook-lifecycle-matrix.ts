/**
 * The hook lifecycle of the specification as one table, run against every transport. Numbers in the names are the rows of the
 * specification: 1 cancellation check, 2 before-hook, 3 dispatch, 4a after-hook, 4b error-hook, x a failing before-hook.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { CommandRejectedError } from '@svc/core';
import { describe, expect, it } from 'vitest';
import { describeRequests } from './request-matrix.js';
import { serving, type Script, type Step } from './scripted-service.js';
import type { Outcome, Transport } from './transport.js';

export function describeHookLifecycle(transport: Transport): void {
  describe('the hook lifecycle', () => {
    it.each(matrix.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
      const { script, outcome, steps, placed, errors = [] } = row;
      await serving(transport, script, async ({ steps: seen, placed: placedTitles, running }) => {
        expect(await running.send({ name: 'book' })).toEqual(outcome);
        expect(seen).toEqual(steps);
        expect(await placedTitles()).toEqual(placed ? ['book'] : []);
        expect(running.errors).toEqual(errors);
        expect(running.errors.every((error, i) => Object.is(error, errors[i]))).toBe(true);
      });
    });

    describeRequests(transport);
  });
}

interface Case {
  readonly name: string;
  readonly script: Script;
  readonly outcome: Outcome;
  readonly steps: readonly Step[];
  /** Whether the command's event is committed. */
  readonly placed: boolean;
  /** The error objects that reach the transport. Default: none. */
  readonly errors?: readonly unknown[];
}

const rejection = new CommandRejectedError('out of books');
const otherRejection = new CommandRejectedError('out of everything');
const bug = new Error('SELECT secret FROM table');

const nothing = (): void => {};
const rejecting = (): never => {
  throw rejection;
};
const rejected = (error: Error): Outcome => ({ kind: 'refused', reason: error.message });

const success: readonly Step[] = ['before', 'receive', 'after'];
const failure: readonly Step[] = ['before', 'receive', 'error'];
/** All hooks are overridden and do nothing; a case replaces some. */
const quiet = { before: nothing, after: nothing, error: () => null } satisfies Script;

const matrix: Case[] = [
  {
    name: '1, 2, 3, 4a: runs the before-hook, dispatch and the after-hook in this order, and returns the result',
    script: quiet,
    outcome: { kind: 'result', result: 'placed book' },
    steps: success,
    placed: true,
  },
  {
    name: '3: dispatches if no hook is overridden',
    script: {},
    outcome: { kind: 'result', result: 'placed book' },
    steps: ['receive'],
    placed: true,
  },
  {
    name: '3: returns no result as null',
    script: { receive: nothing },
    outcome: { kind: 'result', result: null },
    steps: ['receive'],
    placed: true,
  },
  ...[{ orderId: 7 }, 0, '', false].map((fallback): Case => ({
    name: `4b: returns the fallback ${JSON.stringify(fallback)} if the error-hook supplies it, and drops the error`,
    script: { ...quiet, receive: rejecting, error: () => fallback },
    outcome: { kind: 'result', result: fallback },
    steps: failure,
    placed: false,
  })),
  {
    name: '4b: awaits an error-hook that supplies its fallback later',
    script: { ...quiet, receive: rejecting, error: () => delay(5, 'later') },
    outcome: { kind: 'result', result: 'later' },
    steps: failure,
    placed: false,
  },
  ...[null, undefined].map((silence): Case => ({
    name: `4b: rethrows the same error if the error-hook returns ${silence}`,
    script: { ...quiet, receive: rejecting, error: () => silence },
    outcome: rejected(rejection),
    steps: failure,
    placed: false,
    errors: [rejection],
  })),
  {
    name: '4b: rethrows the same error if no error-hook is overridden, and calls no after-hook',
    script: { before: nothing, after: nothing, receive: rejecting },
    outcome: rejected(rejection),
    steps: ['before', 'receive'],
    placed: false,
    errors: [rejection],
  },
  {
    name: '4b: hides an error that is not meant for the caller',
    script: {
      ...quiet,
      receive: () => {
        throw bug;
      },
    },
    outcome: { kind: 'failed' },
    steps: failure,
    placed: false,
    errors: [bug],
  },
  ...['a string', null, undefined, 0].map((thrown): Case => ({
    name: `4b: handles ${JSON.stringify(thrown)} thrown instead of an error`,
    script: {
      ...quiet,
      receive: () => {
        throw thrown;
      },
    },
    outcome: { kind: 'failed' },
    steps: failure,
    placed: false,
    errors: [thrown],
  })),
  {
    name: "4b: an error-hook that throws replaces the command's error with its own",
    script: {
      ...quiet,
      receive: rejecting,
      error: () => {
        throw otherRejection;
      },
    },
    outcome: rejected(otherRejection),
    steps: failure,
    placed: false,
    errors: [otherRejection],
  },
  {
    name: '4b: an error-hook that rejects replaces the error as well',
    script: { ...quiet, receive: rejecting, error: () => Promise.reject(otherRejection) },
    outcome: rejected(otherRejection),
    steps: failure,
    placed: false,
    errors: [otherRejection],
  },
  {
    name: 'x: a before-hook that throws stops the command, and no error-hook is called',
    script: { ...quiet, before: rejecting, error: () => 'fallback' },
    outcome: rejected(rejection),
    steps: ['before'],
    placed: false,
    errors: [rejection],
  },
  {
    name: 'x: a before-hook that rejects stops the command as well',
    script: { ...quiet, before: () => Promise.reject(rejection), error: () => 'fallback' },
    outcome: rejected(rejection),
    steps: ['before'],
    placed: false,
    errors: [rejection],
  },
  {
    name: 'an after-hook that throws fails the request, calls no error-hook, and reverts nothing',
    script: { ...quiet, after: rejecting, error: () => 'fallback' },
    outcome: rejected(rejection),
    steps: success,
    placed: true,
    errors: [rejection],
  },
  {
    name: 'an after-hook that rejects does the same',
    script: { ...quiet, after: () => Promise.reject(bug), error: () => 'fallback' },
    outcome: { kind: 'failed' },
    steps: success,
    placed: true,
    errors: [bug],
  },
  {
    name: 'a mapping that fails bypasses every hook',
    script: { ...quiet, map: rejecting, error: () => 'fallback' },
    outcome: rejected(rejection),
    steps: ['map'],
    placed: false,
    errors: [rejection],
  },
];
