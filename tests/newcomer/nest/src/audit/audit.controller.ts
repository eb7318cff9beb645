import { Controller, Get } from '@nestjs/common';
import { Database } from '../database.js';

@Controller('audit')
export class AuditController {
  constructor(private readonly database: Database) {}

  @Get()
  async list(): Promise<unknown[]> {
    const { rows } = await this.database.pool.query('SELECT * FROM audit ORDER BY sequence DESC LIMIT 20');
    return rows;
  }
}
