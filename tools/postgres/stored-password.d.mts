/** What PostgreSQL stores of a random password: cheap to check, and accepted by `CREATE ROLE … PASSWORD`. */
export function storedPassword(password: string): string;
