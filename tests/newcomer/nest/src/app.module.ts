import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AuditController } from './audit/audit.controller.js';
import { BooksController } from './books/books.controller.js';
import { LendBookHandler } from './books/lend-book.js';
import { BookLentProjection, ListBooksHandler } from './books/list-books.js';
import { Database } from './database.js';

@Module({
  imports: [CqrsModule.forRoot()],
  controllers: [BooksController, AuditController],
  providers: [Database, LendBookHandler, BookLentProjection, ListBooksHandler],
})
export class AppModule {}
