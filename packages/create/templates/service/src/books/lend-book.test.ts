import { messageOf } from '@svc/core';
import { receptorTest } from '@svc/core/testing';
import { test } from 'vitest';
import { registry } from '../generated/registry.js';
import { BookLent, LendBook } from './lend-book.js';

const { given, streamId: bookId } = receptorTest(registry);

test('lends a book', () =>
  given()
    .when(messageOf(LendBook, { bookId, member: 'Ann' }))
    .then(messageOf(BookLent, { bookId, member: 'Ann' })));
