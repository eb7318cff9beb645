export const auditHelp = `svc audit <command> [--database <url, file or name>] [--json]

  query                   list the records of the audit, the newest first: what was done, by which user, when and why
      --tenant <id>       records of this tenant
      --user <id>         what this user did
      --type <type>       an event, command or system event, such as orders.OrderCancelled; can be repeated
      --stream <id>       records about the events of this stream, and about access to it
      --correlation <id>  records of one request, and of everything that it caused
      --level <level>     Info, Warning or Critical; includes higher levels
      --from <date>       records from this time on, such as 2026-01-01 or 2026-01-01T12:00:00Z
      --to <date>         records before this time
      --oldest-first      show the oldest first
      --limit <n>         maximum number of records, up to 1000 (default: 50)
      --after <token>     continue after a page: the same options, with the token that the page has printed
      --trace <id>        instead of the options above: what the request with this correlation caused, as a tree
  tail                    print new records as they are appended, until Ctrl-C; with --json as JSON Lines
      --tenant, --user, --type, --stream, --correlation, --level   as for query
      --from <date>       begin with the records from this time on
      --after <id>        begin after the record with this id, to continue where an earlier tail ended
  query and tail also have
      --key-vault <file>  decrypt personal data with this local key vault (default: the variable KEY_VAULT has its content);
                          without a vault, personal data are printed as [encrypted]
      --archive <folder>  where the bodies of archived events are
  verify                  prove that no sealed event was changed, removed, inserted or moved, or name the first that was
      --export <folder>   verify an export instead of a database
      --proof <file>      check the proof of one event, without a database
      --anchor <file>     compare with the checkpoints in this file, which an anchor has written; can be repeated
      --key <key>         trust this public key: its base64url, or a PEM file; can be repeated (default: the keys that
                          the anchors have, or else those of the first checkpoint)
      --from <date>       verify the checkpoints from this time on, such as 2026-01-01 or 2026-01-01T12:00:00Z
      --to <date>         verify the checkpoints up to this time
      --archive <folder>  where the bodies of archived events are
  prove <event id>        print a proof that the log had this event when it was sealed; verify --proof checks it
      --out <file>        write it to a file
      --archive <folder>  where the bodies of archived events are
  export --to <folder>    write all sealed events and their seals into files; run it again to continue
      --archive <folder>  where the bodies of archived events are
  key [--out <file>]      create a private key for seals, and print its public key

  --database <…>   postgres://… or a SQLite file, or a name in DATABASES (default: all in DATABASES; else DATABASE_URL, or the
                   one database file in .svc)
  --json           print JSON
  --allow-plaintext  connect to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same
  --as <name>      the operator to record for query, tail, prove and export (default: the user of the operating system)

query and tail are recorded in the system stream, with the name of the operator and the options. If that fails, they print
nothing. A table shows at most 60 characters of each value; --json prints all. tail waits while the database does not answer,
and then continues: it prints each record once.
Only an anchor shows that the last events were removed together with their seals, or that the whole log was rewritten and
sealed again. Without --key and --anchor, a log that was sealed again with another key looks the same.
DATABASES has all databases of a service with several: "eu=postgres://… us=postgres://…". Without --database, query and verify
work in each of them. tail, prove, export and query --after work in one: pass --database.
Exit codes: 0 done or proven (also after Ctrl-C of tail), 1 failed or rejected, 2 wrong usage, 4 nothing is sealed, 5 a query
was interrupted, 6 the database is unreachable, 7 the log or the proof is not as it was sealed.`;
