export const migrateHelp = `svc migrate <command> [--database <url or file>] [--json]

  status           what is recorded of each item: its status, how it was migrated, when, and why it failed
  plan             what the next start, or up, would do, as SQL; changes nothing
  up               bring the schema up to date, and wait for what that does in the background
  rollback <key>   put the backup of a table that was rewritten in its place again; the system stream records who did
      --as <name>      the operator, for the record (default: the user of the operating system)

  --database <…>   postgres://… or a SQLite file (default: DATABASE_URL, or the one database file in .svc)
  --json           print JSON
  --allow-plaintext  connect to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same

The tables of perspectives are known to the service that has them: it migrates them when it starts. status shows them all.
Exit codes: 0 done, 1 something failed or was refused, 2 wrong usage, 6 the database cannot be reached.`;
