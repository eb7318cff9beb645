import { SystemEventStream } from '@svc/core';
import { referenceBody, type SqlItem } from '@svc/core/storage';
import { firstSystemDelivery, systemDelivery } from '../system-delivery-statement.js';

/**
 * Creates a function that finds tables in the schema of the log only, whatever the caller has set, and never in the caller's temporary tables. Its
 * text must not contain `$function$`.
 */
function fixedPath(declaration: string, body: string): string {
  return `
      DO $do$ BEGIN
        EXECUTE format($format$CREATE OR REPLACE FUNCTION ${declaration} LANGUAGE plpgsql SET search_path = pg_catalog, %I, pg_temp
          AS $function$${body.replaceAll('%', '%%')}$function$$format$, current_schema());
      END $do$;`;
}

/** Moves messages to the system stream. It belongs to the owner: the runtime role cannot remove a message without appending its event. */
const deliverFunction = (statement: string): string =>
  fixedPath(
    'svc_deliver_system_events(largest integer) RETURNS TABLE (type text, delivered bigint) SECURITY DEFINER',
    `
      #variable_conflict use_column
      BEGIN
        RETURN QUERY ${statement.replaceAll('$1', 'largest')};
      END `,
  );

const isAppended = `
          CASE WHEN OLD.message IS NULL
            THEN event.causation_id = OLD.event_id AND event.body::text = '${referenceBody}' AND event.metadata::text = OLD.note
            -- As text: the JSON functions fail on characters that PostgreSQL cannot decode. The event may have a new id, also in its body.
            ELSE position(concat('"type":', to_json(event.type), ',"body":',
              to_json(replace(event.body::text, event.id::text, OLD.id::text)), ',"timestamp":') IN OLD.message::text) > 0 END`;

/** Rejects the removal of a message whose event is not in the system stream. Hosts that deliver messages themselves append the event first. */
const requireDelivery = fixedPath(
  'svc_require_delivery() RETURNS trigger',
  `
      BEGIN
        IF EXISTS (
          SELECT FROM svc_events event WHERE event.id = OLD.id AND event.stream_id = '${SystemEventStream.streamId}' AND ${isAppended})
        OR EXISTS (
          SELECT FROM svc_events event WHERE event.transaction_id = svc_transaction_id(pg_current_xact_id())
            AND event.stream_id = '${SystemEventStream.streamId}' AND ${isAppended}) THEN
          RETURN NULL;
        END IF;
        RAISE EXCEPTION 'The message % is a pending system event: DELETE is refused, because its event is not in the system stream', OLD.id
          USING ERRCODE = 'insufficient_privilege';
      END `,
);

/**
 * Rejects an event that is not at the end of the log, unless the role in the argument inserts it: perspectives have already processed earlier
 * places, and hosts cannot read later ones. Every insert calls it, so it sets no path, which would cost more than the check. Instead, each
 * function and each operator has its schema.
 */
const requireNewEvent = `
      DO $do$ BEGIN
        EXECUTE replace($create$CREATE OR REPLACE FUNCTION svc_require_new_event() RETURNS trigger LANGUAGE plpgsql AS $function$
      BEGIN
        IF NEW.archive IS NULL AND NEW.position OPERATOR(pg_catalog.>=) 0 AND NEW.sequence OPERATOR(pg_catalog.>=) 0
          AND NEW.sequence OPERATOR(pg_catalog.<=) pg_catalog.currval('<log>.svc_events_sequence')
          AND NEW.transaction_id OPERATOR(pg_catalog.=) <log>.svc_transaction_id(pg_catalog.pg_current_xact_id())
          OR current_user OPERATOR(pg_catalog.=) TG_ARGV[0]::pg_catalog.name THEN
          RETURN NEW;
        END IF;
        RAISE EXCEPTION '%: % is refused, because only the owner may do this', TG_TABLE_NAME, TG_OP
          USING ERRCODE = 'insufficient_privilege';
      END $function$$create$, '<log>', quote_ident(current_schema()));
      END $do$;`;

/** What a database with two roles needs in addition. In a database with one role, the table is empty and no trigger uses the functions. */
export const rolesSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/roles',
  creates: 'svc_roles',
  steps: [
    `
      -- The roles of the database, as svc database roles has applied them. No row: a single role.
      CREATE TABLE svc_roles (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        owner   text NOT NULL,
        runtime text NOT NULL,
        models  text NOT NULL, -- the schema of the tables of perspectives
        rights  text NOT NULL  -- the hash of what the runtime role was granted
      );

      CREATE FUNCTION svc_refuse_other_role() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION '%: % is refused, because only the owner may do this', TG_TABLE_NAME, TG_OP
          USING ERRCODE = 'insufficient_privilege';
      END $$;
      ${deliverFunction(firstSystemDelivery)}
      ${requireDelivery}`,
    `${deliverFunction(systemDelivery)}
      ${requireNewEvent}`,
  ],
};
