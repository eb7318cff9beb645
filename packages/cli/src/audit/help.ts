export const auditHelp = `svc audit <command> [--database <url, file or name>] [--json]

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
  --as <name>      the operator to record for a proof or an export (default: the user of the operating system)

Only an anchor shows that the last events were removed together with their seals, or that the whole log was rewritten and
sealed again. Without --key and --anchor, a log that was sealed again with another key looks the same.
Exit codes: 0 proven, 1 failed or rejected, 2 wrong usage, 4 nothing is sealed, 6 the database is unreachable, 7 the log or
the proof is not as it was sealed.`;
