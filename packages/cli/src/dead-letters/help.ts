export const deadLettersHelp = `svc dead-letters <command> [--database <url, file or name>] [--json]

  list             list dead-lettered messages and their causes, without bodies
      --direction <…>    incoming or outgoing messages between hosts, or scheduled commands
      --cause <…>        for example UnprovenOrigin
      --limit <n>        maximum number of dead letters (default: 50)
      --after <id>       start after this dead letter
  show <id>        show a dead letter with its body, which may contain private data; recorded in the system stream
  replay <id>      deliver or process the message again, at the end of its stream
      --all              instead of an id: all dead letters, or those with the given --direction or --cause
  discard <id>     delete the dead letter
      --all              instead of an id: all dead letters with the given --cause
      --reason <text>    the reason, which is recorded

  --database <…>   postgres://… or a SQLite file, or a name in DATABASES (default: all in DATABASES; else DATABASE_URL, or the
                   one database file in .svc)
  --json           print JSON
  --allow-plaintext  connect to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same
  --wait <s>       how long to wait for a host of the service to accept the request (default: 15)
  --as <name>      the operator to record (default: the user of the operating system)

A running host of the service replays and discards; svc stores the request in its database. show, replay and discard are
recorded in the system stream with the name of the operator. If that fails, show prints nothing. Ctrl-C stops a replay or
discard of several dead letters after the current one.
DATABASES has all databases of a service with several: "eu=postgres://… us=postgres://…". Without --database, a command works in
each of them, and prints the name of each. With --json it prints an array of {name, exitCode, output}.
Exit codes: 0 done, 1 failed or rejected, 2 wrong usage, 5 cancelled, 6 the database is unreachable or no host accepted the request.`;
