export const deadLettersHelp = `svc dead-letters <command> [--database <url or file>] [--json]

  list             messages between hosts that were put aside, and why; without their bodies
      --direction <…>    incoming or outgoing
      --cause <…>        such as UnprovenOrigin
      --limit <n>        how many (default: 50)
      --after <id>       those behind this one
  show <id>        all that is known of one, its body among it, which may be private; the system stream records who looked
  replay <id>      have it delivered or taken once more, at the end of its stream
      --all              instead of an id: all there are, or those of one --direction or --cause
  discard <id>     forget it
      --all              instead of an id: all of one --cause
      --reason <text>    why, for the record

  --database <…>   postgres://… or a SQLite file (default: DATABASE_URL, or the one database file in .svc)
  --json           print JSON
  --allow-plaintext  connect to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same
  --wait <s>       how long to wait for a host of the service that takes it (default: 15)
  --as <name>      who asks, for the record (default: the user of the operating system)

A running host of the service replays and discards: the request waits in its database. show, replay and discard are recorded in the
system stream with the name of the operator. What cannot be recorded is not shown. Ctrl-C ends a replay or a
discard of all after the one that is under way.
Exit codes: 0 done, 1 failed or refused, 2 wrong usage, 5 cancelled, 6 the database cannot be reached or no host took the request.`;
