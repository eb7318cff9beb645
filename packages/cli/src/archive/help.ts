export const archiveHelp = `svc archive --before <date> --to <folder> [--database <url or file>] [--json]

Moves the bodies of old events from the database into compressed files. The events stay in the log: services that are given
the folder read them as before. The database keeps their ids, streams, positions and times.

  --before <date>  archive the events before this date, such as 2026-01-01 or 2026-01-01T12:00:00Z, in the order of the log
  --to <folder>    where the files are; the same folder each time

  --database <…>   postgres://… or a SQLite file (default: DATABASE_OWNER_URL, DATABASE_URL, or the one database file
                   in .svc); in a database with two roles, the owner archives
  --json           print JSON
  --allow-plaintext  connect to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same
  --as <name>      the operator to record (default: the user of the operating system)

A file is written, read back and compared with the database. Only then are the bodies in it removed, in one transaction with
the record of the file. If the command is interrupted, run it again: it continues after the last recorded file. It ends at
events that a perspective has not processed, or that wait in the outbox.
Give all hosts the folder first: postgres({ archive: folderArchive('<folder>') }). Back up the folder with the database.
Exit codes: 0 done, 1 failed or rejected, 2 wrong usage, 6 the database is unreachable.`;
