export const perspectivesHelp = `svc perspectives <command> [--database <url, file or name>] [--json]

  list             show each perspective: its place in the log, how many events it is behind, its stopped streams with
                   their errors, its version; and all open requests of operators
  rebuild <name>   rebuild its models from all events
      --mode <mode>            BlueGreen (default): into new tables, which replace the serving ones at the end
                               InPlace: empties the table and fills it again
                               SelectedStreams: the models with events of the streams given by --stream
      --stream <id>            may be given several times
      --events-per-second <n>  limit the replay, to leave capacity for other work; not with InPlace
      --detach                 exit as soon as a host has accepted the request
  retry <name>     resume its stopped streams, after the code is fixed
      --stream <id>            resume only this stream
  cancel <id>      cancel a request, record the operator, and wait until the request has ended

  --database <…>   postgres://… or a SQLite file, or a name in DATABASES (default: all in DATABASES; else DATABASE_URL, or the
                   one database file in .svc)
  --json           print JSON
  --allow-plaintext  connect to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same
  --wait <s>       how long to wait for a host of the service to accept the request (default: 15)
  --as <name>      the operator to record (default: the user of the operating system)

A running host does the work, because only the service has the code; svc stores the request in its database. If that host is
killed, another host or the next start resumes the work. Ctrl-C cancels the request and waits until it has ended; a second
Ctrl-C exits without waiting. If the command itself is killed, the request continues.
DATABASES has all databases of a service with several: "eu=postgres://… us=postgres://…". Without --database, a command works in
each of them, and prints the name of each. With --json it prints an array of {name, exitCode, output}.
Exit codes: 0 done, 1 failed or rejected, 2 wrong usage, 5 cancelled, 6 the database is unreachable or no host accepted the request.`;
