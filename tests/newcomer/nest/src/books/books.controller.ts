import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { LendBook, Loan } from './lend-book.js';
import { BookFilter, ListBooks, type LentBook } from './list-books.js';

@Controller('books')
export class BooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('lend')
  @HttpCode(200)
  async lend(@Body() loan: Loan): Promise<Loan> {
    return await this.commands.execute(new LendBook(loan));
  }

  @Get()
  async list(@Query() filter: BookFilter): Promise<LentBook[]> {
    return await this.queries.execute(new ListBooks(filter));
  }
}
