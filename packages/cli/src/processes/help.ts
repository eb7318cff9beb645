export const processesHelp = `svc processes <command> [--database <url, file or name>] [--json]

  list                    show the instances of processes in the order of their start: key, tenant, state, number of events,
                          time of the last event
      --open              only those that have not completed
      --after <id>        the instances after this one, by the id of its stream
      --limit <n>         how many to show (default: 50)
  show <process> <key>    show the history of an instance: each event with its cause, and what the process did
      --tenant <id>       the tenant of the instance (default: none)

  --database <…>   postgres://… or a SQLite file, or a name in DATABASES (default: all in DATABASES; else DATABASE_URL, or the
                   one database file in .svc)
  --json           print JSON
  --allow-plaintext  connect to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same

A process runs as a reaction: svc reactions shows its lag, and retries, skips, pauses and resumes it.
DATABASES has all databases of a service with several: "eu=postgres://… us=postgres://…". Without --database, list works in each
of them, and prints the name of each. With --json it prints an array of {name, exitCode, output}.
Exit codes: 0 done, 1 failed or rejected, 2 wrong usage, 6 the database is unreachable.`;
