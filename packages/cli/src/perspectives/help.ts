export const perspectivesHelp = `svc perspectives <command> [--database <url or file>] [--json]

  list             where each perspective stands: its place, how far it is behind, the streams it stopped at and why, its
                   version; and what operators have asked for that has not ended
  rebuild <name>   make its models anew, of all that has happened
      --mode <mode>            BlueGreen (default): beside those that serve, and put in their place at the end
                               InPlace: the table is emptied and filled again
                               SelectedStreams: those that have events of the streams given by --stream
      --stream <id>            may be given several times
      --events-per-second <n>  replay no more than that, so that others get on; not with InPlace
      --detach                 end as soon as a host has taken it
  retry <name>     have it go on with the streams it stopped at, once the code is mended
      --stream <id>            with this one only
  cancel <id>      end what was asked for, record who did, and wait for its end

  --database <…>   postgres://… or a SQLite file (default: DATABASE_URL, or the one database file in .svc)
  --json           print JSON
  --allow-plaintext  connect to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same
  --wait <s>       how long to wait for a host of the service that takes it (default: 15)
  --as <name>      who asks, for the record (default: the user of the operating system)

The running service does the work, since it alone has the code: the request waits in its database. Its host may be killed
meanwhile; another one, or the next start, goes on. Ctrl-C cancels what was asked for and waits for its end; Ctrl-C once more leaves
without waiting. When the command itself is killed, what was asked for goes on.
Exit codes: 0 done, 1 failed or refused, 2 wrong usage, 5 cancelled, 6 the database cannot be reached or no host took the request.`;
