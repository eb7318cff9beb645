import { Command, CommandHandler, EventBus, type ICommandHandler } from '@nestjs/cqrs';
import { IsUUID, Length } from 'class-validator';
import { Database } from '../database.js';

export class Loan {
  @IsUUID()
  bookId!: string;

  @Length(1, 100)
  member!: string;
}

/** Lends a book to a member. */
export class LendBook extends Command<Loan> {
  constructor(readonly loan: Loan) {
    super();
  }
}

export class BookLent {
  constructor(
    readonly bookId: string,
    readonly member: string,
    readonly at: Date,
  ) {}
}

@CommandHandler(LendBook)
export class LendBookHandler implements ICommandHandler<LendBook> {
  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
  ) {}

  async execute({ loan }: LendBook): Promise<Loan> {
    const { bookId, member } = loan;
    const event = new BookLent(bookId, member, new Date());
    await this.database.transaction(async (client) => {
      await client.query(
        `INSERT INTO events (stream_id, position, type, body, at)
         SELECT $1, count(*), 'BookLent', $2, $3 FROM events WHERE stream_id = $1`,
        [bookId, event, event.at],
      );
      await client.query(`INSERT INTO audit (type, body, at) VALUES ('LendBook', $1, $2)`, [loan, event.at]);
    });
    this.events.publish(event);
    return { bookId, member };
  }
}
