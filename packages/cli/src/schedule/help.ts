export const scheduleHelp = `svc schedule <command> [--database <url, file or name>] [--json]

  list             list scheduled and recurring commands in the order of their due times, without bodies
      --tenant <id>      only those of this tenant
      --limit <n>        maximum number of commands (default: 50)
      --after <id>       start after this command
  cancel <id>      remove a scheduled command, so that it does not run
  run <id>         make a scheduled command due now; a host runs it

  --database <…>   postgres://… or a SQLite file, or a name in DATABASES (default: all in DATABASES; else DATABASE_URL, or the
                   one database file in .svc)
  --json           print JSON
  --allow-plaintext  connect to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same
  --as <name>      the operator to record (default: the user of the operating system)

cancel and run change the database themselves; no host needs to run. Both are recorded in the system stream with the name of the
operator. A command that a host runs at the moment can be cancelled: then nothing of it is committed. A recurring command cannot
be cancelled: remove @recurring from its class.
DATABASES has all databases of a service with several: "eu=postgres://… us=postgres://…". Without --database, list works in each
of them, and prints the name of each. With --json it prints an array of {name, exitCode, output}.
Exit codes: 0 done, 1 failed or rejected, 2 wrong usage, 6 the database is unreachable.`;
