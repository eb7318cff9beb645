export const databaseHelp = `svc database <command> [--database <url or name>] [--json]

  roles            print the SQL that separates the role that the service runs as from the owner of the log; changes nothing
      --runtime <role>   the role of the service (default: the recorded one)
      --owner <role>     the owner of the log (default: the role that owns it now)
      --models <schema>  the schema of the tables of perspectives (default: svc_models, or <schema>_models)
      --apply            execute the SQL, in one transaction; svc then checks that the runtime role cannot change stored events

  --database <…>   postgres://… or a name in DATABASES (default: all in DATABASES; else DATABASE_OWNER_URL, or DATABASE_URL)
  --json           print JSON
  --allow-plaintext  connect to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same

Run svc migrate up first. The owner can apply it if the runtime role exists and the owner is a member of it; else connect as an administrator.
It can be applied again, and must be after a change of the roles. Later, svc migrate up as the owner grants what new tables need.
Exit codes: 0 done, 1 failed or rejected, 2 wrong usage, 6 the database is unreachable.`;
