/** Who the user is, and what the console shows. */
import { computed, signal } from '@preact/signals';
import type { Session } from '../../src/contract/index.js';

/** Null: the user has not signed in. */
export const session = signal<Session | null>(null);

export const title = computed((): string => session.value?.title ?? 'Operator');
