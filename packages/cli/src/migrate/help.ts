export const migrateHelp = `svc migrate <command> [--database <url or file>] [--json]

  status           what is recorded of each item: its status, how it was migrated, when, and why it failed
  plan             what the next start would do, as SQL; changes nothing
      --registry <file>  the built registry of the service, for its perspectives, also for status (default: dist/generated/registry.js)
      --shared-tenants   the service calls shareDataBetweenTenants()
  up               bring the infrastructure up to date without a service
  rollback <key>   put the backup of a table that was rewritten in its place again; the system stream records who did
      --as <name>      the operator, for the record (default: the user of the operating system)

  --database <…>   postgres://… or a SQLite file (default: DATABASE_URL, or the one database file in .svc)
  --json           print JSON
  --allow-plaintext  connect to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same

The service migrates the tables of its perspectives when it starts.
Exit codes: 0 done, 1 something failed or was refused, 2 wrong usage, 6 the database cannot be reached.`;
