export const migrateHelp = `svc migrate <command> [--database <url, file or name>] [--json]

  status           show each item: its status, how and when it was migrated, and why it failed
  plan             print the SQL that the next start would run; changes nothing
      --registry <file>  the built registry of the service, for its perspectives; also for status (default: dist/generated/registry.js)
      --shared-tenants   the service calls shareDataBetweenTenants()
  up               migrate the infrastructure without starting a service; in a database with two roles, run it as the owner before a deployment
  rollback <key>   replace a rewritten table with its backup; recorded in the system stream
      --as <name>      the operator to record (default: the user of the operating system)

  --database <…>   postgres://… or a SQLite file, or a name in DATABASES (default: all in DATABASES; else DATABASE_URL, or the
                   one database file in .svc; up prefers DATABASE_OWNER_URL to DATABASE_URL)
  --json           print JSON
  --allow-plaintext  connect to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same

The service migrates the tables of its perspectives when it starts.
DATABASES has all databases of a service with several: "eu=postgres://… us=postgres://…". Without --database, a command works in
each of them, and prints the name of each. With --json it prints an array of {name, exitCode, output}.
Exit codes: 0 done, 1 failed or rejected, 2 wrong usage, 6 the database is unreachable.`;
