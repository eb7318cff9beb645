import type { MessageDescriptor } from '@svc/core/testing';

export class Counted {}
export const messages: readonly MessageDescriptor[];
