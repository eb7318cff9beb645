import { EventsHandler, Query, QueryHandler, type IEventHandler, type IQueryHandler } from '@nestjs/cqrs';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { Type } from 'class-transformer';
import { Database } from '../database.js';
import { BookLent } from './lend-book.js';

export interface LentBook {
  readonly bookId: string;
  readonly member: string;
  readonly lentAt: Date;
}

export class BookFilter {
  @IsOptional()
  @IsString()
  member?: string;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  page = 1;
}

export class ListBooks extends Query<LentBook[]> {
  constructor(readonly filter: BookFilter) {
    super();
  }
}

@QueryHandler(ListBooks)
export class ListBooksHandler implements IQueryHandler<ListBooks> {
  constructor(private readonly database: Database) {}

  async execute({ filter: { member, page } }: ListBooks): Promise<LentBook[]> {
    const { rows } = await this.database.pool.query<LentBook>(
      `SELECT book_id AS "bookId", member, lent_at AS "lentAt" FROM lent_books
       WHERE $1::text IS NULL OR member = $1 ORDER BY book_id LIMIT 10 OFFSET $2`,
      [member ?? null, (page - 1) * 10],
    );
    return rows;
  }
}

@EventsHandler(BookLent)
export class BookLentProjection implements IEventHandler<BookLent> {
  constructor(private readonly database: Database) {}

  async handle({ bookId, member, at }: BookLent): Promise<void> {
    await this.database.pool.query(
      `INSERT INTO lent_books (book_id, member, lent_at) VALUES ($1, $2, $3)
       ON CONFLICT (book_id) DO UPDATE SET member = $2, lent_at = $3`,
      [bookId, member, at],
    );
  }
}
