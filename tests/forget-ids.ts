/**
 * Before each test file. Files share a process, and ids ascend in it: a file that has seen ids of the future would make those of the next file so
 * new that hosts reject them.
 */
import { rememberIds } from '@svc/core/testing';
import { afterAll } from 'vitest';

afterAll(rememberIds());
