const databaseHelp = `  --database <…>   postgres://… or a SQLite file, or a name in DATABASES (default: all in DATABASES; else DATABASE_URL, or the
                   one database file in .svc)
  --json           print JSON
  --allow-plaintext  connect to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same
  --as <name>      the operator to record (default: the user of the operating system)`;

export const eraseHelp = `svc erase <subject> --reason <text> [--database <url, file or name>] [--json]

Erases the personal data of a subject, such as a customer. A running host destroys the key of the subject: everywhere, its data
read as null from then on. The host also deletes its snapshots, results and dead letters, rebuilds its models, and records
SubjectErased. This cannot be undone.

  --reason <text>  why, up to 500 characters; it is recorded
  --wait <n>       seconds to wait for a host to accept the request (default: 15)

${databaseHelp}

If the host is lost, another one completes the erasure. Backups of the database contain the key: see docs/guides/forget-a-customer.md.
Exit codes: 0 done, 1 failed or rejected, 2 wrong usage, 6 the database is unreachable.`;

export const subjectHelp = `svc subject <command> [--database <url, file or name>]

  export <subject>   print all personal data of a subject as JSON: events, commands, scheduled commands and dead letters
      --key-vault <file>   the file of the local key vault (default: the variable KEY_VAULT has its content)

${databaseHelp}

The export is recorded in the system stream with the name of the operator.
Exit codes: 0 done, 1 failed or rejected, 2 wrong usage, 6 the database is unreachable.`;
