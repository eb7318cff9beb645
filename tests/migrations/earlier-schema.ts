/** SQL that takes a database back to what earlier versions made, by the kind of database. */

/** Removes segments, what live queries need, and the columns that state the roles of the tables of perspectives. */
export const withoutRoles: Readonly<Record<string, string>> = {
  postgres: `
    ALTER TABLE svc_perspectives DROP COLUMN generation, DROP COLUMN changed;
    DROP TRIGGER svc_perspectives_divided ON svc_perspectives; DROP FUNCTION svc_perspective_is_divided();
    DROP TABLE svc_segments_stopped, svc_segments;
    ALTER TABLE svc_perspectives DROP COLUMN segments, DROP COLUMN copied;
    DROP TRIGGER svc_perspectives_recorded ON svc_perspectives; DROP TRIGGER svc_perspectives_renamed ON svc_perspectives;
    DROP FUNCTION svc_perspective_of_name();
    ALTER TABLE svc_perspectives DROP COLUMN perspective, DROP COLUMN role;`,
  sqlite: `
    DROP TRIGGER svc_perspectives_created;
    ALTER TABLE svc_perspectives DROP COLUMN generation; ALTER TABLE svc_perspectives DROP COLUMN changed;
    DROP TRIGGER svc_perspectives_recorded; DROP TRIGGER svc_perspectives_renamed;
    ALTER TABLE svc_perspectives DROP COLUMN perspective; ALTER TABLE svc_perspectives DROP COLUMN role;`,
};

/** Removes the last events of results under idempotency keys. */
export const withoutLastEvents = 'ALTER TABLE svc_idempotency DROP COLUMN last_event_id;';
