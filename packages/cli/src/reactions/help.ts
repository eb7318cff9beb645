export const reactionsHelp = `svc reactions <command> [--database <url, file or name>] [--json]

  list                    show each reaction: its place in the log, how many events it is behind, its streams that wait for a
                          retry or are parked, its host
  show <name>             show where it started, and its failed streams with their errors
      --after <stream>    the failed streams after this one
      --limit <n>         how many to show (default: 20)
  retry <name> [stream]   retry its failed streams now, or one of them, with a new count of attempts
  skip <name> <stream>    skip the event at which a stream failed; the stream continues with its next event
  pause <name>            stop it on all hosts; what it has not committed is not committed
  resume <name>           continue at its place

  --database <…>   postgres://… or a SQLite file, or a name in DATABASES (default: all in DATABASES; else DATABASE_URL, or the
                   one database file in .svc)
  --json           print JSON
  --allow-plaintext  connect to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same
  --as <name>      the operator to record (default: the user of the operating system)

Each change is recorded with its operator. It needs no running service: hosts notice it within a second.
DATABASES has all databases of a service with several: "eu=postgres://… us=postgres://…". Without --database, a command works in
each of them, and prints the name of each. With --json it prints an array of {name, exitCode, output}.
Exit codes: 0 done, 1 failed or rejected, 2 wrong usage, 6 the database is unreachable.`;
