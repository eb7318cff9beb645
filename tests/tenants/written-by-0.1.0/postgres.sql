SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE FUNCTION public.svc_refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      BEGIN
        RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP;
      END $$;
CREATE FUNCTION public.svc_transaction_id(xid8) RETURNS xid8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$SELECT $1$_$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.svc_dead_letters (
    id uuid NOT NULL,
    direction text NOT NULL,
    cause text NOT NULL,
    message_id uuid NOT NULL,
    record json NOT NULL
);
CREATE TABLE public.svc_events (
    sequence bigint NOT NULL,
    transaction_id xid8 DEFAULT pg_current_xact_id() NOT NULL,
    id uuid NOT NULL,
    stream_id uuid NOT NULL,
    "position" bigint NOT NULL,
    type text NOT NULL,
    body json NOT NULL,
    "timestamp" timestamp with time zone NOT NULL,
    correlation_id uuid NOT NULL,
    causation_id uuid,
    scope json,
    metadata json NOT NULL
);
CREATE SEQUENCE public.svc_events_sequence
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.svc_events_sequence OWNED BY public.svc_events.sequence;
CREATE TABLE public.svc_idempotency (
    id text NOT NULL,
    request_hash text NOT NULL,
    message_id uuid NOT NULL,
    result text NOT NULL,
    kept_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.svc_inbox (
    id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.svc_leases (
    lane text NOT NULL,
    holder uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.svc_operations (
    id uuid NOT NULL,
    kind text NOT NULL,
    target text,
    arguments json NOT NULL,
    requested_by text NOT NULL,
    requested_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    wait_until timestamp with time zone NOT NULL,
    alone text,
    state text DEFAULT 'waiting'::text NOT NULL,
    holder uuid,
    held_until timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    progress json,
    result json,
    error text,
    started_at timestamp with time zone,
    finished_at timestamp with time zone
);
CREATE TABLE public.svc_outbox (
    lane text NOT NULL,
    sequence bigint NOT NULL,
    id uuid NOT NULL,
    destination text NOT NULL,
    message json,
    note text,
    event_id uuid
);
ALTER TABLE public.svc_outbox ALTER COLUMN sequence ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.svc_outbox_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.svc_perspective_audit_log_perspective (
    key text NOT NULL COLLATE pg_catalog."C",
    body text COLLATE pg_catalog."C",
    version bigint NOT NULL,
    last_event_id uuid NOT NULL,
    revision bigint NOT NULL,
    tenant_id text COLLATE pg_catalog."C",
    user_id text COLLATE pg_catalog."C",
    organization_id text COLLATE pg_catalog."C",
    customer_id text COLLATE pg_catalog."C",
    allowed_principals text[],
    extensions json
);
CREATE TABLE public.svc_perspective_customer_overview_perspective (
    key text NOT NULL COLLATE pg_catalog."C",
    body text COLLATE pg_catalog."C",
    version bigint NOT NULL,
    last_event_id uuid NOT NULL,
    revision bigint NOT NULL,
    tenant_id text COLLATE pg_catalog."C",
    user_id text COLLATE pg_catalog."C",
    organization_id text COLLATE pg_catalog."C",
    customer_id text COLLATE pg_catalog."C",
    allowed_principals text[],
    extensions json
);
CREATE TABLE public.svc_perspective_order_summary_perspective (
    key text NOT NULL COLLATE pg_catalog."C",
    body text COLLATE pg_catalog."C",
    version bigint NOT NULL,
    last_event_id uuid NOT NULL,
    revision bigint NOT NULL,
    tenant_id text COLLATE pg_catalog."C",
    user_id text COLLATE pg_catalog."C",
    organization_id text COLLATE pg_catalog."C",
    customer_id text COLLATE pg_catalog."C",
    allowed_principals text[],
    extensions json,
    p_customer_id text COLLATE pg_catalog."C",
    p_paid_amount numeric,
    p_placed_at timestamp with time zone,
    p_status text COLLATE pg_catalog."C"
);
CREATE TABLE public.svc_perspectives (
    name text NOT NULL COLLATE pg_catalog."C",
    sequence bigint NOT NULL,
    revision bigint NOT NULL,
    definition text NOT NULL
);
CREATE TABLE public.svc_perspectives_stopped (
    perspective text NOT NULL COLLATE pg_catalog."C",
    stream_id uuid NOT NULL,
    event_id uuid NOT NULL,
    "position" bigint NOT NULL,
    error_name text NOT NULL,
    error_message text NOT NULL
);
CREATE TABLE public.svc_schema_migrations (
    key text NOT NULL,
    hash text,
    status integer NOT NULL,
    description text NOT NULL,
    strategy text NOT NULL,
    failure_reason integer,
    error text,
    library_version text NOT NULL,
    requires_version text,
    definition text,
    previous_hashes text NOT NULL,
    target_hash text,
    progress text,
    backup text,
    applied_at timestamp with time zone,
    updated_at timestamp with time zone NOT NULL,
    duration_ms bigint NOT NULL
);
CREATE TABLE public.svc_snapshots_audit_log_perspective (
    key text NOT NULL COLLATE pg_catalog."C",
    event_id uuid NOT NULL,
    body text,
    version bigint NOT NULL,
    scope json
);
CREATE TABLE public.svc_snapshots_customer_overview_perspective (
    key text NOT NULL COLLATE pg_catalog."C",
    event_id uuid NOT NULL,
    body text,
    version bigint NOT NULL,
    scope json
);
CREATE TABLE public.svc_snapshots_order_summary_perspective (
    key text NOT NULL COLLATE pg_catalog."C",
    event_id uuid NOT NULL,
    body text,
    version bigint NOT NULL,
    scope json
);
CREATE TABLE public.svc_sources_audit_log_perspective (
    key text NOT NULL COLLATE pg_catalog."C",
    stream_id uuid NOT NULL,
    last_event_id uuid NOT NULL
);
CREATE TABLE public.svc_sources_customer_overview_perspective (
    key text NOT NULL COLLATE pg_catalog."C",
    stream_id uuid NOT NULL,
    last_event_id uuid NOT NULL
);
CREATE TABLE public.svc_sources_order_summary_perspective (
    key text NOT NULL COLLATE pg_catalog."C",
    stream_id uuid NOT NULL,
    last_event_id uuid NOT NULL
);
ALTER TABLE ONLY public.svc_events ALTER COLUMN sequence SET DEFAULT nextval('public.svc_events_sequence'::regclass);
INSERT INTO public.svc_events VALUES
	(0, '741', '01a1e3a5-867a-72b7-bf13-a896388029c1', '00000000-0000-0000-0000-000000000001', 0, 'svc.MigrationBatchStarted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","libraryVersion":"0.1.0","totalMigrations":8,"totalPerspectives":3}', '2026-11-16 09:17:18.33+00', '01a1e3a5-867a-72b7-bf13-a896388029c1', NULL, NULL, '{}'),
	(1, '744', '01a1e3a5-86d6-718e-9020-5d8258615f7e', '00000000-0000-0000-0000-000000000001', 1, 'svc.MigrationItemStarted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/events","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:ea7cbc3b90111f7a05ca802c4270ef85d266c628f820f7de612fdcaf2b9ad681"}', '2026-11-16 09:17:18.422+00', '01a1e3a5-86d6-718e-9020-5d8258615f7e', NULL, NULL, '{}'),
	(2, '744', '01a1e3a5-86dc-72c5-8292-41310bf26d36', '00000000-0000-0000-0000-000000000001', 2, 'svc.MigrationItemCompleted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/events","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.038S"}', '2026-11-16 09:17:18.428+00', '01a1e3a5-86dc-72c5-8292-41310bf26d36', NULL, NULL, '{}'),
	(3, '746', '01a1e3a5-86e0-706f-b04f-238a161e5d4c', '00000000-0000-0000-0000-000000000001', 3, 'svc.MigrationItemStarted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/outbox","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:fc2239fd366ef36c3e6354129fbafc8af0138b1d926a08b0f42bb0d3d4eeb15c"}', '2026-11-16 09:17:18.432+00', '01a1e3a5-86e0-706f-b04f-238a161e5d4c', NULL, NULL, '{}'),
	(4, '748', '01a1e3a5-86e5-7319-9b4b-eb2370af3882', '00000000-0000-0000-0000-000000000001', 4, 'svc.MigrationItemCompleted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/outbox","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.024S"}', '2026-11-16 09:17:18.437+00', '01a1e3a5-86e5-7319-9b4b-eb2370af3882', NULL, NULL, '{}'),
	(5, '749', '01a1e3a5-86ed-708b-bcc2-3ae7475a80fb', '00000000-0000-0000-0000-000000000001', 5, 'svc.MigrationItemStarted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/inbox","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:fdd2f0200bc05b162f2dd7bc2224643d237007ec0a4ba6e619849102684de5ed"}', '2026-11-16 09:17:18.446+00', '01a1e3a5-86ed-708b-bcc2-3ae7475a80fb', NULL, NULL, '{}'),
	(6, '752', '01a1e3a5-86f0-7328-bfe7-11d292d80010', '00000000-0000-0000-0000-000000000001', 6, 'svc.MigrationItemCompleted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/inbox","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.012S"}', '2026-11-16 09:17:18.448+00', '01a1e3a5-86f0-7328-bfe7-11d292d80010', NULL, NULL, '{}'),
	(7, '753', '01a1e3a5-86f6-700a-b57f-40e653ce73fe', '00000000-0000-0000-0000-000000000001', 7, 'svc.MigrationItemStarted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/leases","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:47c5ee95faab3da05b4815abd17d0cd6af24a329c86070b20e9338a2481b3258"}', '2026-11-16 09:17:18.455+00', '01a1e3a5-86f6-700a-b57f-40e653ce73fe', NULL, NULL, '{}'),
	(8, '756', '01a1e3a5-86fe-72b9-bc7e-e9d653b2137e', '00000000-0000-0000-0000-000000000001', 8, 'svc.MigrationItemCompleted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/leases","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.016S"}', '2026-11-16 09:17:18.462+00', '01a1e3a5-86fe-72b9-bc7e-e9d653b2137e', NULL, NULL, '{}'),
	(9, '758', '01a1e3a5-8703-71ac-8722-c36710776ea6', '00000000-0000-0000-0000-000000000001', 9, 'svc.MigrationItemStarted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/idempotency","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:91780129fff65035675c212bffb101564491fc3234f9053fa4dae4d206e2c6e5"}', '2026-11-16 09:17:18.467+00', '01a1e3a5-8703-71ac-8722-c36710776ea6', NULL, NULL, '{}'),
	(10, '762', '01a1e3a5-8706-7381-a01c-bca1bc688163', '00000000-0000-0000-0000-000000000001', 10, 'svc.MigrationItemCompleted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/idempotency","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.019S"}', '2026-11-16 09:17:18.47+00', '01a1e3a5-8706-7381-a01c-bca1bc688163', NULL, NULL, '{}'),
	(11, '764', '01a1e3a5-870c-7222-be91-7515bc2da97f', '00000000-0000-0000-0000-000000000001', 11, 'svc.MigrationItemStarted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/dead-letters","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:90dd332a16ff9f911f8a20cda94aeb84f32152f814ed0429f55dbb8239be8a0e"}', '2026-11-16 09:17:18.476+00', '01a1e3a5-870c-7222-be91-7515bc2da97f', NULL, NULL, '{}'),
	(12, '766', '01a1e3a5-8735-70b8-af0a-e78039a8f1ec', '00000000-0000-0000-0000-000000000001', 12, 'svc.MigrationItemCompleted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/dead-letters","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.021S"}', '2026-11-16 09:17:18.517+00', '01a1e3a5-8735-70b8-af0a-e78039a8f1ec', NULL, NULL, '{}'),
	(13, '770', '01a1e3a5-8741-7163-b3a8-f1b09b15e656', '00000000-0000-0000-0000-000000000001', 13, 'svc.MigrationItemStarted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/perspectives","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:9ae1d686cdf95c101caa52d77e606cdcf5980f57637cdb01c743d6fce997b1a3"}', '2026-11-16 09:17:18.529+00', '01a1e3a5-8741-7163-b3a8-f1b09b15e656', NULL, NULL, '{}'),
	(14, '770', '01a1e3a5-8745-71f6-b82d-918e195c82a4', '00000000-0000-0000-0000-000000000001', 14, 'svc.MigrationItemCompleted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/perspectives","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.02S"}', '2026-11-16 09:17:18.533+00', '01a1e3a5-8745-71f6-b82d-918e195c82a4', NULL, NULL, '{}'),
	(15, '773', '01a1e3a5-8749-73a9-adb2-12a92e804a93', '00000000-0000-0000-0000-000000000001', 15, 'svc.MigrationItemStarted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/operations","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:f5353aec2057af4e1eed2f88494b7e1b39fcd4aea0c1074aef5ac7b8dc763a6d"}', '2026-11-16 09:17:18.537+00', '01a1e3a5-8749-73a9-adb2-12a92e804a93', NULL, NULL, '{}'),
	(16, '778', '01a1e3a5-874c-706c-95f4-d65baa222d27', '00000000-0000-0000-0000-000000000001', 16, 'svc.MigrationItemCompleted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"infrastructure/operations","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.028S"}', '2026-11-16 09:17:18.54+00', '01a1e3a5-874c-706c-95f4-d65baa222d27', NULL, NULL, '{}'),
	(17, '778', '01a1e3a5-8755-7363-9c4f-ef2be3e58f75', '00000000-0000-0000-0000-000000000001', 17, 'svc.MigrationItemStarted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"perspective/AuditLogPerspective","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:993222db2da4e070a3982009e12efe64c037a0208100d062e44d2f9114015e51"}', '2026-11-16 09:17:18.549+00', '01a1e3a5-8755-7363-9c4f-ef2be3e58f75', NULL, NULL, '{}'),
	(18, '782', '01a1e3a5-8758-72f3-aef1-70be2eb423c7', '00000000-0000-0000-0000-000000000001', 18, 'svc.MigrationItemCompleted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"perspective/AuditLogPerspective","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.036S"}', '2026-11-16 09:17:18.552+00', '01a1e3a5-8758-72f3-aef1-70be2eb423c7', NULL, NULL, '{}'),
	(19, '782', '01a1e3a5-875b-7332-83c9-e89c5e3f0c34', '00000000-0000-0000-0000-000000000001', 19, 'svc.MigrationItemStarted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"perspective/CustomerOverviewPerspective","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:b209c0fe030deedc764b722a73b720dd8db6d89622a867731739f05cede0f6d0"}', '2026-11-16 09:17:18.555+00', '01a1e3a5-875b-7332-83c9-e89c5e3f0c34', NULL, NULL, '{}'),
	(20, '783', '01a1e3a5-877b-71f8-a2d1-90d31bdae441', '00000000-0000-0000-0000-000000000001', 20, 'svc.MigrationItemCompleted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"perspective/CustomerOverviewPerspective","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.044S"}', '2026-11-16 09:17:18.587+00', '01a1e3a5-877b-71f8-a2d1-90d31bdae441', NULL, NULL, '{}'),
	(21, '785', '01a1e3a5-8796-73fe-befb-29ac570e4da7', '00000000-0000-0000-0000-000000000001', 21, 'svc.MigrationItemStarted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"perspective/OrderSummaryPerspective","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:502a31a316f116e3dcf2225520985ba376389164a8b8fc5397f2dd66de5dcc0c"}', '2026-11-16 09:17:18.614+00', '01a1e3a5-8796-73fe-befb-29ac570e4da7', NULL, NULL, '{}'),
	(22, '790', '01a1e3a5-87c2-71d0-a99b-e72c4f6458d7', '00000000-0000-0000-0000-000000000001', 22, 'svc.MigrationItemCompleted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","migrationKey":"perspective/OrderSummaryPerspective","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.072S"}', '2026-11-16 09:17:18.658+00', '01a1e3a5-87c2-71d0-a99b-e72c4f6458d7', NULL, NULL, '{}'),
	(23, '790', '01a1e3a5-87c9-7126-a79a-21010186f7ed', '00000000-0000-0000-0000-000000000001', 23, 'svc.MigrationBatchCompleted', '{"streamId":"01a1e3a5-8528-73ec-8dbf-1a5119bc211a","libraryVersion":"0.1.0","results":[{"migrationKey":"infrastructure/events","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"infrastructure/outbox","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"infrastructure/inbox","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"infrastructure/leases","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"infrastructure/idempotency","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"infrastructure/dead-letters","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"infrastructure/perspectives","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"infrastructure/operations","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"perspective/AuditLogPerspective","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"perspective/CustomerOverviewPerspective","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"perspective/OrderSummaryPerspective","status":1,"statusDescription":"Applied for the first time."}],"applied":11,"updated":0,"skipped":0,"failed":0,"totalDuration":"PT0.338S"}', '2026-11-16 09:17:18.666+00', '01a1e3a5-87c9-7126-a79a-21010186f7ed', NULL, NULL, '{}'),
	(24, '795', '01a1e3a5-8940-706b-a100-55f83f12094c', '00000000-0000-0000-0000-000000000001', 24, 'svc.ScopeContextEstablished', '{"id":"01a1e3a5-893f-733c-81df-b526c6ea9ef0","scope":{"tenantId":"evil","userId":"mallory"},"roles":["clerk"],"permissions":["orders:write","payments:write"],"source":"jwt","timestamp":"2026-11-16T09:17:19.039Z"}', '2026-11-16 09:17:19.04+00', '01a1e3a5-8940-706b-a100-55f83f12094c', NULL, '{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}', '{}'),
	(25, '796', '01a1e3a5-8958-73b6-a2f4-5578bfcdebe2', '01a1e3a5-8957-7315-b424-96f17ff7ab8a', 0, 'orders.OrderPlaced', '{"orderId":"01a1e3a5-8957-7315-b424-96f17ff7ab8a","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"tea","quantity":2,"unitPrice":"3.50"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}}', '2026-11-16 09:17:19.064+00', '01a1e3a5-8957-7314-b9af-9b962cb2c5cb', '01a1e3a5-8957-7314-b9af-9b962cb2c5cb', '{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}', '{}'),
	(26, '796', '01a1e3a5-8958-73b9-b347-c284510c1a44', '01a1e3a5-8957-7315-b424-96f17ff7ab8a', 1, 'orders.StockReserved', '{"orderId":"01a1e3a5-8957-7315-b424-96f17ff7ab8a","items":[{"productId":"tea","quantity":2}]}', '2026-11-16 09:17:19.064+00', '01a1e3a5-8957-7314-b9af-9b962cb2c5cb', '01a1e3a5-8958-73b8-991e-cb8ac9568fa6', '{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}', '{}'),
	(27, '797', '01a1e3a5-8958-73b7-b068-7126b4f32d65', '00000000-0000-0000-0000-000000000001', 25, 'svc.EventAudited', '{"id":"01a1e3a5-8958-73b7-b068-7126b4f32d65","originalEventType":"orders.OrderPlaced","originalStreamId":"01a1e3a5-8957-7315-b424-96f17ff7ab8a","originalStreamPosition":0,"originalBody":{"orderId":"01a1e3a5-8957-7315-b424-96f17ff7ab8a","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"tea","quantity":2,"unitPrice":"3.50"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}},"timestamp":"2026-11-16T09:17:19.064Z","auditLevel":0,"originalEventId":"01a1e3a5-8958-73b6-a2f4-5578bfcdebe2","tenantId":"evil","userId":"mallory","correlationId":"01a1e3a5-8957-7314-b9af-9b962cb2c5cb","causationId":"01a1e3a5-8957-7314-b9af-9b962cb2c5cb","scope":{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}}', '2026-11-16 09:17:19.064+00', '01a1e3a5-8957-7314-b9af-9b962cb2c5cb', '01a1e3a5-8958-73b6-a2f4-5578bfcdebe2', '{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}', '{}'),
	(28, '797', '01a1e3a5-8958-73ba-95b2-74e87b91c93d', '00000000-0000-0000-0000-000000000001', 26, 'svc.EventAudited', '{"id":"01a1e3a5-8958-73ba-95b2-74e87b91c93d","originalEventType":"orders.StockReserved","originalStreamId":"01a1e3a5-8957-7315-b424-96f17ff7ab8a","originalStreamPosition":1,"originalBody":{"orderId":"01a1e3a5-8957-7315-b424-96f17ff7ab8a","items":[{"productId":"tea","quantity":2}]},"timestamp":"2026-11-16T09:17:19.064Z","auditLevel":0,"originalEventId":"01a1e3a5-8958-73b9-b347-c284510c1a44","tenantId":"evil","userId":"mallory","correlationId":"01a1e3a5-8957-7314-b9af-9b962cb2c5cb","causationId":"01a1e3a5-8958-73b8-991e-cb8ac9568fa6","scope":{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}}', '2026-11-16 09:17:19.064+00', '01a1e3a5-8957-7314-b9af-9b962cb2c5cb', '01a1e3a5-8958-73b9-b347-c284510c1a44', '{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}', '{}'),
	(29, '797', '01a1e3a5-895d-7041-a505-ec1782bf6bad', '00000000-0000-0000-0000-000000000001', 27, 'svc.CommandAudited', '{"id":"01a1e3a5-895d-7041-a505-ec1782bf6bad","commandType":"orders.ReserveStock","commandBody":{"orderId":"01a1e3a5-8957-7315-b424-96f17ff7ab8a","items":[{"productId":"tea","quantity":2}]},"timestamp":"2026-11-16T09:17:19.069Z","auditLevel":0,"tenantId":"evil","userId":"mallory","correlationId":"01a1e3a5-8957-7314-b9af-9b962cb2c5cb","causationId":"01a1e3a5-8957-7314-b9af-9b962cb2c5cb","receptorName":"ReserveStockReceptor","scope":{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}}', '2026-11-16 09:17:19.069+00', '01a1e3a5-8957-7314-b9af-9b962cb2c5cb', '01a1e3a5-8958-73b8-991e-cb8ac9568fa6', '{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}', '{}'),
	(30, '797', '01a1e3a5-895d-7042-9947-0ac9a654e224', '00000000-0000-0000-0000-000000000001', 28, 'svc.CommandAudited', '{"id":"01a1e3a5-895d-7042-9947-0ac9a654e224","commandType":"orders.CreateOrder","commandBody":{"customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"tea","quantity":2,"unitPrice":"3.50"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}},"timestamp":"2026-11-16T09:17:19.069Z","auditLevel":0,"tenantId":"evil","userId":"mallory","correlationId":"01a1e3a5-8957-7314-b9af-9b962cb2c5cb","receptorName":"CreateOrderReceptor","responseType":"OrderCreated","scope":{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}}', '2026-11-16 09:17:19.069+00', '01a1e3a5-8957-7314-b9af-9b962cb2c5cb', '01a1e3a5-8957-7314-b9af-9b962cb2c5cb', '{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}', '{}'),
	(31, '799', '01a1e3a5-897f-73a2-a897-562a69b49b5e', '00000000-0000-0000-0000-000000000001', 29, 'svc.ScopeContextEstablished', '{"id":"01a1e3a5-897f-73a1-82fe-97d0ab6b332d","scope":{"tenantId":"acme","userId":"ann"},"roles":["clerk"],"permissions":["orders:write","payments:write"],"source":"jwt","timestamp":"2026-11-16T09:17:19.103Z"}', '2026-11-16 09:17:19.103+00', '01a1e3a5-897f-73a2-a897-562a69b49b5e', NULL, '{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}', '{}'),
	(32, '800', '01a1e3a5-8992-7143-99ca-57bea275664f', '01a1e3a5-8992-7142-a51c-7cb9d7f6ce3c', 0, 'orders.OrderPlaced', '{"orderId":"01a1e3a5-8992-7142-a51c-7cb9d7f6ce3c","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"tea","quantity":2,"unitPrice":"3.50"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}}', '2026-11-16 09:17:19.122+00', '01a1e3a5-8992-7141-98ad-12f0b3a9a82e', '01a1e3a5-8992-7141-98ad-12f0b3a9a82e', '{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}', '{}'),
	(33, '800', '01a1e3a5-8992-7146-a20c-987846fd0ed8', '01a1e3a5-8992-7142-a51c-7cb9d7f6ce3c', 1, 'orders.StockReserved', '{"orderId":"01a1e3a5-8992-7142-a51c-7cb9d7f6ce3c","items":[{"productId":"tea","quantity":2}]}', '2026-11-16 09:17:19.122+00', '01a1e3a5-8992-7141-98ad-12f0b3a9a82e', '01a1e3a5-8992-7145-9805-7fc96fb1ce9a', '{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}', '{}'),
	(38, '803', '01a1e3a5-899f-729f-b858-18682355a6a0', '01a1e3a5-899f-729e-88f8-d1379b31afcd', 0, 'orders.OrderPlaced', '{"orderId":"01a1e3a5-899f-729e-88f8-d1379b31afcd","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"coffee","quantity":1,"unitPrice":"5"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}}', '2026-11-16 09:17:19.135+00', '01a1e3a5-899f-729d-8e4d-6d1599a2c669', '01a1e3a5-899f-729d-8e4d-6d1599a2c669', '{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}', '{}'),
	(34, '801', '01a1e3a5-8992-7144-8874-5ee475fa0430', '00000000-0000-0000-0000-000000000001', 30, 'svc.EventAudited', '{"id":"01a1e3a5-8992-7144-8874-5ee475fa0430","originalEventType":"orders.OrderPlaced","originalStreamId":"01a1e3a5-8992-7142-a51c-7cb9d7f6ce3c","originalStreamPosition":0,"originalBody":{"orderId":"01a1e3a5-8992-7142-a51c-7cb9d7f6ce3c","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"tea","quantity":2,"unitPrice":"3.50"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}},"timestamp":"2026-11-16T09:17:19.122Z","auditLevel":0,"originalEventId":"01a1e3a5-8992-7143-99ca-57bea275664f","tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-8992-7141-98ad-12f0b3a9a82e","causationId":"01a1e3a5-8992-7141-98ad-12f0b3a9a82e","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}', '2026-11-16 09:17:19.122+00', '01a1e3a5-8992-7141-98ad-12f0b3a9a82e', '01a1e3a5-8992-7143-99ca-57bea275664f', '{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}', '{}'),
	(35, '801', '01a1e3a5-8992-7147-85a0-b1e3f62b3601', '00000000-0000-0000-0000-000000000001', 31, 'svc.EventAudited', '{"id":"01a1e3a5-8992-7147-85a0-b1e3f62b3601","originalEventType":"orders.StockReserved","originalStreamId":"01a1e3a5-8992-7142-a51c-7cb9d7f6ce3c","originalStreamPosition":1,"originalBody":{"orderId":"01a1e3a5-8992-7142-a51c-7cb9d7f6ce3c","items":[{"productId":"tea","quantity":2}]},"timestamp":"2026-11-16T09:17:19.122Z","auditLevel":0,"originalEventId":"01a1e3a5-8992-7146-a20c-987846fd0ed8","tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-8992-7141-98ad-12f0b3a9a82e","causationId":"01a1e3a5-8992-7145-9805-7fc96fb1ce9a","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}', '2026-11-16 09:17:19.122+00', '01a1e3a5-8992-7141-98ad-12f0b3a9a82e', '01a1e3a5-8992-7146-a20c-987846fd0ed8', '{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}', '{}'),
	(36, '801', '01a1e3a5-8992-7148-b5cc-91c6f7d3f3ac', '00000000-0000-0000-0000-000000000001', 32, 'svc.CommandAudited', '{"id":"01a1e3a5-8992-7148-b5cc-91c6f7d3f3ac","commandType":"orders.ReserveStock","commandBody":{"orderId":"01a1e3a5-8992-7142-a51c-7cb9d7f6ce3c","items":[{"productId":"tea","quantity":2}]},"timestamp":"2026-11-16T09:17:19.122Z","auditLevel":0,"tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-8992-7141-98ad-12f0b3a9a82e","causationId":"01a1e3a5-8992-7141-98ad-12f0b3a9a82e","receptorName":"ReserveStockReceptor","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}', '2026-11-16 09:17:19.122+00', '01a1e3a5-8992-7141-98ad-12f0b3a9a82e', '01a1e3a5-8992-7145-9805-7fc96fb1ce9a', '{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}', '{}'),
	(37, '801', '01a1e3a5-8992-7149-95fc-0c61447e142d', '00000000-0000-0000-0000-000000000001', 33, 'svc.CommandAudited', '{"id":"01a1e3a5-8992-7149-95fc-0c61447e142d","commandType":"orders.CreateOrder","commandBody":{"customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"tea","quantity":2,"unitPrice":"3.50"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}},"timestamp":"2026-11-16T09:17:19.122Z","auditLevel":0,"tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-8992-7141-98ad-12f0b3a9a82e","receptorName":"CreateOrderReceptor","responseType":"OrderCreated","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}', '2026-11-16 09:17:19.122+00', '01a1e3a5-8992-7141-98ad-12f0b3a9a82e', '01a1e3a5-8992-7141-98ad-12f0b3a9a82e', '{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}', '{}'),
	(40, '804', '01a1e3a5-899f-72a0-8afa-f85f5d7f8a5b', '00000000-0000-0000-0000-000000000001', 34, 'svc.EventAudited', '{"id":"01a1e3a5-899f-72a0-8afa-f85f5d7f8a5b","originalEventType":"orders.OrderPlaced","originalStreamId":"01a1e3a5-899f-729e-88f8-d1379b31afcd","originalStreamPosition":0,"originalBody":{"orderId":"01a1e3a5-899f-729e-88f8-d1379b31afcd","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"coffee","quantity":1,"unitPrice":"5"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}},"timestamp":"2026-11-16T09:17:19.135Z","auditLevel":0,"originalEventId":"01a1e3a5-899f-729f-b858-18682355a6a0","tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-899f-729d-8e4d-6d1599a2c669","causationId":"01a1e3a5-899f-729d-8e4d-6d1599a2c669","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}', '2026-11-16 09:17:19.135+00', '01a1e3a5-899f-729d-8e4d-6d1599a2c669', '01a1e3a5-899f-729f-b858-18682355a6a0', '{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}', '{}'),
	(41, '804', '01a1e3a5-899f-72a3-9e7d-0911e5b69e61', '00000000-0000-0000-0000-000000000001', 35, 'svc.EventAudited', '{"id":"01a1e3a5-899f-72a3-9e7d-0911e5b69e61","originalEventType":"orders.StockReserved","originalStreamId":"01a1e3a5-899f-729e-88f8-d1379b31afcd","originalStreamPosition":1,"originalBody":{"orderId":"01a1e3a5-899f-729e-88f8-d1379b31afcd","items":[{"productId":"coffee","quantity":1}]},"timestamp":"2026-11-16T09:17:19.135Z","auditLevel":0,"originalEventId":"01a1e3a5-899f-72a2-b8e2-f243f0c28935","tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-899f-729d-8e4d-6d1599a2c669","causationId":"01a1e3a5-899f-72a1-8053-a55e2eddfcc9","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}', '2026-11-16 09:17:19.135+00', '01a1e3a5-899f-729d-8e4d-6d1599a2c669', '01a1e3a5-899f-72a2-b8e2-f243f0c28935', '{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}', '{}'),
	(42, '804', '01a1e3a5-89a0-736d-ab68-5c8230453386', '00000000-0000-0000-0000-000000000001', 36, 'svc.CommandAudited', '{"id":"01a1e3a5-89a0-736d-ab68-5c8230453386","commandType":"orders.ReserveStock","commandBody":{"orderId":"01a1e3a5-899f-729e-88f8-d1379b31afcd","items":[{"productId":"coffee","quantity":1}]},"timestamp":"2026-11-16T09:17:19.136Z","auditLevel":0,"tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-899f-729d-8e4d-6d1599a2c669","causationId":"01a1e3a5-899f-729d-8e4d-6d1599a2c669","receptorName":"ReserveStockReceptor","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}', '2026-11-16 09:17:19.136+00', '01a1e3a5-899f-729d-8e4d-6d1599a2c669', '01a1e3a5-899f-72a1-8053-a55e2eddfcc9', '{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}', '{}'),
	(43, '804', '01a1e3a5-89a0-736e-9079-aa980efd405a', '00000000-0000-0000-0000-000000000001', 37, 'svc.CommandAudited', '{"id":"01a1e3a5-89a0-736e-9079-aa980efd405a","commandType":"orders.CreateOrder","commandBody":{"customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"coffee","quantity":1,"unitPrice":"5"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}},"timestamp":"2026-11-16T09:17:19.136Z","auditLevel":0,"tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-899f-729d-8e4d-6d1599a2c669","receptorName":"CreateOrderReceptor","responseType":"OrderCreated","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}', '2026-11-16 09:17:19.136+00', '01a1e3a5-899f-729d-8e4d-6d1599a2c669', '01a1e3a5-899f-729d-8e4d-6d1599a2c669', '{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}', '{}'),
	(39, '803', '01a1e3a5-899f-72a2-b8e2-f243f0c28935', '01a1e3a5-899f-729e-88f8-d1379b31afcd', 1, 'orders.StockReserved', '{"orderId":"01a1e3a5-899f-729e-88f8-d1379b31afcd","items":[{"productId":"coffee","quantity":1}]}', '2026-11-16 09:17:19.135+00', '01a1e3a5-899f-729d-8e4d-6d1599a2c669', '01a1e3a5-899f-72a1-8053-a55e2eddfcc9', '{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}', '{}'),
	(44, '806', '01a1e3a5-89b3-7226-bc37-75a26de71d58', '01a1e3a5-899f-729e-88f8-d1379b31afcd', 2, 'orders.OrderCancelled', '{"orderId":"01a1e3a5-899f-729e-88f8-d1379b31afcd","reason":"because I can"}', '2026-11-16 09:17:19.155+00', '01a1e3a5-89ad-707c-af27-06026fd20c76', '01a1e3a5-89ad-707c-af27-06026fd20c76', '{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}', '{}'),
	(45, '808', '01a1e3a5-89b3-7227-8f9a-bbae31d858ac', '00000000-0000-0000-0000-000000000001', 38, 'svc.EventAudited', '{"id":"01a1e3a5-89b3-7227-8f9a-bbae31d858ac","originalEventType":"orders.OrderCancelled","originalStreamId":"01a1e3a5-899f-729e-88f8-d1379b31afcd","originalStreamPosition":2,"originalBody":{"orderId":"01a1e3a5-899f-729e-88f8-d1379b31afcd","reason":"because I can"},"timestamp":"2026-11-16T09:17:19.155Z","auditLevel":1,"originalEventId":"01a1e3a5-89b3-7226-bc37-75a26de71d58","tenantId":"evil","userId":"mallory","correlationId":"01a1e3a5-89ad-707c-af27-06026fd20c76","causationId":"01a1e3a5-89ad-707c-af27-06026fd20c76","auditReason":"Cancellations are looked into when customers complain.","scope":{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}}', '2026-11-16 09:17:19.155+00', '01a1e3a5-89ad-707c-af27-06026fd20c76', '01a1e3a5-89b3-7226-bc37-75a26de71d58', '{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}', '{}'),
	(46, '808', '01a1e3a5-89b3-7228-9c36-735ac70ccdee', '00000000-0000-0000-0000-000000000001', 39, 'svc.CommandAudited', '{"id":"01a1e3a5-89b3-7228-9c36-735ac70ccdee","commandType":"orders.CancelOrder","commandBody":{"orderId":"01a1e3a5-899f-729e-88f8-d1379b31afcd","reason":"because I can"},"timestamp":"2026-11-16T09:17:19.155Z","auditLevel":0,"tenantId":"evil","userId":"mallory","correlationId":"01a1e3a5-89ad-707c-af27-06026fd20c76","receptorName":"CancelOrderReceptor","scope":{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}}', '2026-11-16 09:17:19.155+00', '01a1e3a5-89ad-707c-af27-06026fd20c76', '01a1e3a5-89ad-707c-af27-06026fd20c76', '{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}', '{}');
INSERT INTO public.svc_leases VALUES
	('system', '01a1e3a5-8476-710e-aeba-7076af80dd24', '2026-11-16 09:17:19.260642+00'),
	('perspectives/b1ee846571202730', '01a1e3a5-8476-710e-aeba-7076af80dd24', '2026-11-16 09:17:19.260665+00');
INSERT INTO public.svc_perspective_audit_log_perspective VALUES
	('01a1e3a5-8958-73b7-b068-7126b4f32d65', '{"auditId":"01a1e3a5-8958-73b7-b068-7126b4f32d65","what":"event","type":"orders.OrderPlaced","streamId":"01a1e3a5-8957-7315-b424-96f17ff7ab8a","userId":"mallory","correlationId":"01a1e3a5-8957-7314-b9af-9b962cb2c5cb","at":"2026-11-16T09:17:19.064Z"}', 1, '01a1e3a5-8958-73b7-b068-7126b4f32d65', 5, 'evil', 'mallory', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}'),
	('01a1e3a5-8958-73ba-95b2-74e87b91c93d', '{"auditId":"01a1e3a5-8958-73ba-95b2-74e87b91c93d","what":"event","type":"orders.StockReserved","streamId":"01a1e3a5-8957-7315-b424-96f17ff7ab8a","userId":"mallory","correlationId":"01a1e3a5-8957-7314-b9af-9b962cb2c5cb","at":"2026-11-16T09:17:19.064Z"}', 1, '01a1e3a5-8958-73ba-95b2-74e87b91c93d', 5, 'evil', 'mallory', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}'),
	('01a1e3a5-895d-7041-a505-ec1782bf6bad', '{"auditId":"01a1e3a5-895d-7041-a505-ec1782bf6bad","what":"command","type":"orders.ReserveStock","streamId":null,"userId":"mallory","correlationId":"01a1e3a5-8957-7314-b9af-9b962cb2c5cb","at":"2026-11-16T09:17:19.069Z"}', 1, '01a1e3a5-895d-7041-a505-ec1782bf6bad', 5, 'evil', 'mallory', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}'),
	('01a1e3a5-895d-7042-9947-0ac9a654e224', '{"auditId":"01a1e3a5-895d-7042-9947-0ac9a654e224","what":"command","type":"orders.CreateOrder","streamId":null,"userId":"mallory","correlationId":"01a1e3a5-8957-7314-b9af-9b962cb2c5cb","at":"2026-11-16T09:17:19.069Z"}', 1, '01a1e3a5-895d-7042-9947-0ac9a654e224', 5, 'evil', 'mallory', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}'),
	('01a1e3a5-8992-7144-8874-5ee475fa0430', '{"auditId":"01a1e3a5-8992-7144-8874-5ee475fa0430","what":"event","type":"orders.OrderPlaced","streamId":"01a1e3a5-8992-7142-a51c-7cb9d7f6ce3c","userId":"ann","correlationId":"01a1e3a5-8992-7141-98ad-12f0b3a9a82e","at":"2026-11-16T09:17:19.122Z"}', 1, '01a1e3a5-8992-7144-8874-5ee475fa0430', 6, 'acme', 'ann', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}'),
	('01a1e3a5-8992-7147-85a0-b1e3f62b3601', '{"auditId":"01a1e3a5-8992-7147-85a0-b1e3f62b3601","what":"event","type":"orders.StockReserved","streamId":"01a1e3a5-8992-7142-a51c-7cb9d7f6ce3c","userId":"ann","correlationId":"01a1e3a5-8992-7141-98ad-12f0b3a9a82e","at":"2026-11-16T09:17:19.122Z"}', 1, '01a1e3a5-8992-7147-85a0-b1e3f62b3601', 6, 'acme', 'ann', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}'),
	('01a1e3a5-8992-7148-b5cc-91c6f7d3f3ac', '{"auditId":"01a1e3a5-8992-7148-b5cc-91c6f7d3f3ac","what":"command","type":"orders.ReserveStock","streamId":null,"userId":"ann","correlationId":"01a1e3a5-8992-7141-98ad-12f0b3a9a82e","at":"2026-11-16T09:17:19.122Z"}', 1, '01a1e3a5-8992-7148-b5cc-91c6f7d3f3ac', 6, 'acme', 'ann', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}'),
	('01a1e3a5-8992-7149-95fc-0c61447e142d', '{"auditId":"01a1e3a5-8992-7149-95fc-0c61447e142d","what":"command","type":"orders.CreateOrder","streamId":null,"userId":"ann","correlationId":"01a1e3a5-8992-7141-98ad-12f0b3a9a82e","at":"2026-11-16T09:17:19.122Z"}', 1, '01a1e3a5-8992-7149-95fc-0c61447e142d', 6, 'acme', 'ann', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}'),
	('01a1e3a5-899f-72a0-8afa-f85f5d7f8a5b', '{"auditId":"01a1e3a5-899f-72a0-8afa-f85f5d7f8a5b","what":"event","type":"orders.OrderPlaced","streamId":"01a1e3a5-899f-729e-88f8-d1379b31afcd","userId":"ann","correlationId":"01a1e3a5-899f-729d-8e4d-6d1599a2c669","at":"2026-11-16T09:17:19.135Z"}', 1, '01a1e3a5-899f-72a0-8afa-f85f5d7f8a5b', 6, 'acme', 'ann', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}'),
	('01a1e3a5-899f-72a3-9e7d-0911e5b69e61', '{"auditId":"01a1e3a5-899f-72a3-9e7d-0911e5b69e61","what":"event","type":"orders.StockReserved","streamId":"01a1e3a5-899f-729e-88f8-d1379b31afcd","userId":"ann","correlationId":"01a1e3a5-899f-729d-8e4d-6d1599a2c669","at":"2026-11-16T09:17:19.135Z"}', 1, '01a1e3a5-899f-72a3-9e7d-0911e5b69e61', 6, 'acme', 'ann', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}'),
	('01a1e3a5-89a0-736d-ab68-5c8230453386', '{"auditId":"01a1e3a5-89a0-736d-ab68-5c8230453386","what":"command","type":"orders.ReserveStock","streamId":null,"userId":"ann","correlationId":"01a1e3a5-899f-729d-8e4d-6d1599a2c669","at":"2026-11-16T09:17:19.136Z"}', 1, '01a1e3a5-89a0-736d-ab68-5c8230453386', 6, 'acme', 'ann', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}'),
	('01a1e3a5-89a0-736e-9079-aa980efd405a', '{"auditId":"01a1e3a5-89a0-736e-9079-aa980efd405a","what":"command","type":"orders.CreateOrder","streamId":null,"userId":"ann","correlationId":"01a1e3a5-899f-729d-8e4d-6d1599a2c669","at":"2026-11-16T09:17:19.136Z"}', 1, '01a1e3a5-89a0-736e-9079-aa980efd405a', 6, 'acme', 'ann', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}'),
	('01a1e3a5-89b3-7227-8f9a-bbae31d858ac', '{"auditId":"01a1e3a5-89b3-7227-8f9a-bbae31d858ac","what":"event","type":"orders.OrderCancelled","streamId":"01a1e3a5-899f-729e-88f8-d1379b31afcd","userId":"mallory","correlationId":"01a1e3a5-89ad-707c-af27-06026fd20c76","at":"2026-11-16T09:17:19.155Z"}', 1, '01a1e3a5-89b3-7227-8f9a-bbae31d858ac', 6, 'evil', 'mallory', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}'),
	('01a1e3a5-89b3-7228-9c36-735ac70ccdee', '{"auditId":"01a1e3a5-89b3-7228-9c36-735ac70ccdee","what":"command","type":"orders.CancelOrder","streamId":null,"userId":"mallory","correlationId":"01a1e3a5-89ad-707c-af27-06026fd20c76","at":"2026-11-16T09:17:19.155Z"}', 1, '01a1e3a5-89b3-7228-9c36-735ac70ccdee', 6, 'evil', 'mallory', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}');
INSERT INTO public.svc_perspective_customer_overview_perspective VALUES
	('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d', '{"customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","orders":3,"products":[{"productId":"tea","pieces":4},{"productId":"coffee","pieces":1}],"lastOrderAt":"2026-11-16T09:17:19.135Z"}', 3, '01a1e3a5-899f-729f-b858-18682355a6a0', 6, 'evil', 'mallory', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}');
INSERT INTO public.svc_perspective_order_summary_perspective VALUES
	('01a1e3a5-8957-7315-b424-96f17ff7ab8a', '{"orderId":"01a1e3a5-8957-7315-b424-96f17ff7ab8a","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","status":"open","pieces":2,"paidAmount":null,"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"},"placedAt":"2026-11-16T09:17:19.064Z","changedAt":"2026-11-16T09:17:19.064Z"}', 1, '01a1e3a5-8958-73b6-a2f4-5578bfcdebe2', 5, 'evil', 'mallory', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}', '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d', NULL, '2026-11-16 09:17:19.064+00', 'open'),
	('01a1e3a5-8992-7142-a51c-7cb9d7f6ce3c', '{"orderId":"01a1e3a5-8992-7142-a51c-7cb9d7f6ce3c","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","status":"open","pieces":2,"paidAmount":null,"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"},"placedAt":"2026-11-16T09:17:19.122Z","changedAt":"2026-11-16T09:17:19.122Z"}', 1, '01a1e3a5-8992-7143-99ca-57bea275664f', 6, 'acme', 'ann', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}', '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d', NULL, '2026-11-16 09:17:19.122+00', 'open'),
	('01a1e3a5-899f-729e-88f8-d1379b31afcd', '{"orderId":"01a1e3a5-899f-729e-88f8-d1379b31afcd","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","status":"cancelled","pieces":1,"paidAmount":null,"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"},"placedAt":"2026-11-16T09:17:19.135Z","changedAt":"2026-11-16T09:17:19.155Z"}', 2, '01a1e3a5-89b3-7226-bc37-75a26de71d58', 6, 'acme', 'ann', NULL, NULL, NULL, '{"roles": "clerk", "source": "jwt"}', '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d', NULL, '2026-11-16 09:17:19.135+00', 'cancelled');
INSERT INTO public.svc_perspectives VALUES
	('AuditLogPerspective', 46, 6, '{"columns":[],"version":"1.5e47eddc829a24e5"}'),
	('CustomerOverviewPerspective', 46, 6, '{"columns":[],"version":"1.5589712cbcab13bf"}'),
	('OrderSummaryPerspective', 46, 6, '{"columns":[{"name":"customerId","type":"text"},{"name":"paidAmount","type":"decimal"},{"name":"placedAt","type":"timestamp"},{"name":"status","type":"text"}],"version":"1.3b89062b61d7f654"}');
INSERT INTO public.svc_schema_migrations VALUES
	('infrastructure/events', 'sha256:ea7cbc3b90111f7a05ca802c4270ef85d266c628f820f7de612fdcaf2b9ad681', 1, 'Applied for the first time.', 'DirectDdl', NULL, NULL, '0.1.0', NULL, NULL, '[]', NULL, NULL, NULL, '2026-11-16 09:17:18+00', '2026-11-16 09:17:18+00', 0),
	('infrastructure/outbox', 'sha256:fc2239fd366ef36c3e6354129fbafc8af0138b1d926a08b0f42bb0d3d4eeb15c', 1, 'Applied for the first time.', 'DirectDdl', NULL, NULL, '0.1.0', NULL, NULL, '[]', NULL, NULL, NULL, '2026-11-16 09:17:18.037+00', '2026-11-16 09:17:18.037+00', 0),
	('infrastructure/inbox', 'sha256:fdd2f0200bc05b162f2dd7bc2224643d237007ec0a4ba6e619849102684de5ed', 1, 'Applied for the first time.', 'DirectDdl', NULL, NULL, '0.1.0', NULL, NULL, '[]', NULL, NULL, NULL, '2026-11-16 09:17:18.061+00', '2026-11-16 09:17:18.061+00', 0),
	('infrastructure/leases', 'sha256:47c5ee95faab3da05b4815abd17d0cd6af24a329c86070b20e9338a2481b3258', 1, 'Applied for the first time.', 'DirectDdl', NULL, NULL, '0.1.0', NULL, NULL, '[]', NULL, NULL, NULL, '2026-11-16 09:17:18.073+00', '2026-11-16 09:17:18.073+00', 0),
	('infrastructure/idempotency', 'sha256:91780129fff65035675c212bffb101564491fc3234f9053fa4dae4d206e2c6e5', 1, 'Applied for the first time.', 'DirectDdl', NULL, NULL, '0.1.0', NULL, NULL, '[]', NULL, NULL, NULL, '2026-11-16 09:17:18.089+00', '2026-11-16 09:17:18.089+00', 0),
	('infrastructure/dead-letters', 'sha256:90dd332a16ff9f911f8a20cda94aeb84f32152f814ed0429f55dbb8239be8a0e', 1, 'Applied for the first time.', 'DirectDdl', NULL, NULL, '0.1.0', NULL, NULL, '[]', NULL, NULL, NULL, '2026-11-16 09:17:18.108+00', '2026-11-16 09:17:18.108+00', 0),
	('infrastructure/perspectives', 'sha256:9ae1d686cdf95c101caa52d77e606cdcf5980f57637cdb01c743d6fce997b1a3', 1, 'Applied for the first time.', 'DirectDdl', NULL, NULL, '0.1.0', NULL, NULL, '[]', NULL, NULL, NULL, '2026-11-16 09:17:18.129+00', '2026-11-16 09:17:18.129+00', 0),
	('infrastructure/operations', 'sha256:f5353aec2057af4e1eed2f88494b7e1b39fcd4aea0c1074aef5ac7b8dc763a6d', 1, 'Applied for the first time.', 'DirectDdl', NULL, NULL, '0.1.0', NULL, NULL, '[]', NULL, NULL, NULL, '2026-11-16 09:17:18.149+00', '2026-11-16 09:17:18.149+00', 0),
	('perspective/AuditLogPerspective', 'sha256:993222db2da4e070a3982009e12efe64c037a0208100d062e44d2f9114015e51', 1, 'Applied for the first time.', 'DirectDdl', NULL, NULL, '0.1.0', NULL, '{"table":"svc_perspective_audit_log_perspective","key":"key","revision":"revision","columns":[{"name":"key","type":"text","required":true},{"name":"body","type":"text","required":false},{"name":"version","type":"integer","required":true},{"name":"last_event_id","type":"uuid","required":true},{"name":"revision","type":"integer","required":true},{"name":"tenant_id","type":"text","required":false},{"name":"user_id","type":"text","required":false},{"name":"organization_id","type":"text","required":false},{"name":"customer_id","type":"text","required":false},{"name":"allowed_principals","type":"texts","required":false},{"name":"extensions","type":"json","required":false}],"indexes":[],"version":"1.5e47eddc829a24e5","perspective":"AuditLogPerspective"}', '[]', NULL, NULL, NULL, '2026-11-16 09:17:18.177+00', '2026-11-16 09:17:18.177+00', 0),
	('perspective/CustomerOverviewPerspective', 'sha256:b209c0fe030deedc764b722a73b720dd8db6d89622a867731739f05cede0f6d0', 1, 'Applied for the first time.', 'DirectDdl', NULL, NULL, '0.1.0', NULL, '{"table":"svc_perspective_customer_overview_perspective","key":"key","revision":"revision","columns":[{"name":"key","type":"text","required":true},{"name":"body","type":"text","required":false},{"name":"version","type":"integer","required":true},{"name":"last_event_id","type":"uuid","required":true},{"name":"revision","type":"integer","required":true},{"name":"tenant_id","type":"text","required":false},{"name":"user_id","type":"text","required":false},{"name":"organization_id","type":"text","required":false},{"name":"customer_id","type":"text","required":false},{"name":"allowed_principals","type":"texts","required":false},{"name":"extensions","type":"json","required":false}],"indexes":[],"version":"1.5589712cbcab13bf","perspective":"CustomerOverviewPerspective"}', '[]', NULL, NULL, NULL, '2026-11-16 09:17:18.213+00', '2026-11-16 09:17:18.213+00', 0),
	('perspective/OrderSummaryPerspective', 'sha256:502a31a316f116e3dcf2225520985ba376389164a8b8fc5397f2dd66de5dcc0c', 1, 'Applied for the first time.', 'DirectDdl', NULL, NULL, '0.1.0', NULL, '{"table":"svc_perspective_order_summary_perspective","key":"key","revision":"revision","columns":[{"name":"key","type":"text","required":true},{"name":"body","type":"text","required":false},{"name":"version","type":"integer","required":true},{"name":"last_event_id","type":"uuid","required":true},{"name":"revision","type":"integer","required":true},{"name":"tenant_id","type":"text","required":false},{"name":"user_id","type":"text","required":false},{"name":"organization_id","type":"text","required":false},{"name":"customer_id","type":"text","required":false},{"name":"allowed_principals","type":"texts","required":false},{"name":"extensions","type":"json","required":false},{"name":"p_customer_id","type":"text","required":false,"fill":{"column":"body","path":["customerId"]}},{"name":"p_paid_amount","type":"decimal","required":false,"fill":{"column":"body","path":["paidAmount"]}},{"name":"p_placed_at","type":"timestamp","required":false,"fill":{"column":"body","path":["placedAt"]}},{"name":"p_status","type":"text","required":false,"fill":{"column":"body","path":["status"]}}],"indexes":[["p_customer_id","key"],["p_paid_amount","key"],["p_placed_at","key"],["p_status","key"]],"version":"1.3b89062b61d7f654","perspective":"OrderSummaryPerspective"}', '[]', NULL, NULL, NULL, '2026-11-16 09:17:18.257+00', '2026-11-16 09:17:18.257+00', 0);
INSERT INTO public.svc_sources_audit_log_perspective VALUES
	('01a1e3a5-8958-73b7-b068-7126b4f32d65', '00000000-0000-0000-0000-000000000001', '01a1e3a5-8958-73b7-b068-7126b4f32d65'),
	('01a1e3a5-8958-73ba-95b2-74e87b91c93d', '00000000-0000-0000-0000-000000000001', '01a1e3a5-8958-73ba-95b2-74e87b91c93d'),
	('01a1e3a5-895d-7041-a505-ec1782bf6bad', '00000000-0000-0000-0000-000000000001', '01a1e3a5-895d-7041-a505-ec1782bf6bad'),
	('01a1e3a5-895d-7042-9947-0ac9a654e224', '00000000-0000-0000-0000-000000000001', '01a1e3a5-895d-7042-9947-0ac9a654e224'),
	('01a1e3a5-8992-7144-8874-5ee475fa0430', '00000000-0000-0000-0000-000000000001', '01a1e3a5-8992-7144-8874-5ee475fa0430'),
	('01a1e3a5-8992-7147-85a0-b1e3f62b3601', '00000000-0000-0000-0000-000000000001', '01a1e3a5-8992-7147-85a0-b1e3f62b3601'),
	('01a1e3a5-8992-7148-b5cc-91c6f7d3f3ac', '00000000-0000-0000-0000-000000000001', '01a1e3a5-8992-7148-b5cc-91c6f7d3f3ac'),
	('01a1e3a5-8992-7149-95fc-0c61447e142d', '00000000-0000-0000-0000-000000000001', '01a1e3a5-8992-7149-95fc-0c61447e142d'),
	('01a1e3a5-899f-72a0-8afa-f85f5d7f8a5b', '00000000-0000-0000-0000-000000000001', '01a1e3a5-899f-72a0-8afa-f85f5d7f8a5b'),
	('01a1e3a5-899f-72a3-9e7d-0911e5b69e61', '00000000-0000-0000-0000-000000000001', '01a1e3a5-899f-72a3-9e7d-0911e5b69e61'),
	('01a1e3a5-89a0-736d-ab68-5c8230453386', '00000000-0000-0000-0000-000000000001', '01a1e3a5-89a0-736d-ab68-5c8230453386'),
	('01a1e3a5-89a0-736e-9079-aa980efd405a', '00000000-0000-0000-0000-000000000001', '01a1e3a5-89a0-736e-9079-aa980efd405a'),
	('01a1e3a5-89b3-7227-8f9a-bbae31d858ac', '00000000-0000-0000-0000-000000000001', '01a1e3a5-89b3-7227-8f9a-bbae31d858ac'),
	('01a1e3a5-89b3-7228-9c36-735ac70ccdee', '00000000-0000-0000-0000-000000000001', '01a1e3a5-89b3-7228-9c36-735ac70ccdee');
INSERT INTO public.svc_sources_customer_overview_perspective VALUES
	('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d', '01a1e3a5-8957-7315-b424-96f17ff7ab8a', '01a1e3a5-8958-73b6-a2f4-5578bfcdebe2'),
	('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d', '01a1e3a5-8992-7142-a51c-7cb9d7f6ce3c', '01a1e3a5-8992-7143-99ca-57bea275664f'),
	('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d', '01a1e3a5-899f-729e-88f8-d1379b31afcd', '01a1e3a5-899f-729f-b858-18682355a6a0');
SELECT pg_catalog.setval('public.svc_events_sequence', 46, true);
SELECT pg_catalog.setval('public.svc_outbox_sequence_seq', 40, true);
ALTER TABLE ONLY public.svc_dead_letters
    ADD CONSTRAINT svc_dead_letters_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_events
    ADD CONSTRAINT svc_events_id UNIQUE (id);
ALTER TABLE ONLY public.svc_events
    ADD CONSTRAINT svc_events_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY public.svc_events
    ADD CONSTRAINT svc_events_position UNIQUE (stream_id, "position");
ALTER TABLE ONLY public.svc_idempotency
    ADD CONSTRAINT svc_idempotency_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_inbox
    ADD CONSTRAINT svc_inbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_leases
    ADD CONSTRAINT svc_leases_pkey PRIMARY KEY (lane);
ALTER TABLE ONLY public.svc_operations
    ADD CONSTRAINT svc_operations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_outbox
    ADD CONSTRAINT svc_outbox_id UNIQUE (id);
ALTER TABLE ONLY public.svc_outbox
    ADD CONSTRAINT svc_outbox_pkey PRIMARY KEY (lane, sequence);
ALTER TABLE ONLY public.svc_perspective_audit_log_perspective
    ADD CONSTRAINT svc_perspective_audit_log_perspective_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.svc_perspective_customer_overview_perspective
    ADD CONSTRAINT svc_perspective_customer_overview_perspective_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.svc_perspective_order_summary_perspective
    ADD CONSTRAINT svc_perspective_order_summary_perspective_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.svc_perspectives
    ADD CONSTRAINT svc_perspectives_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.svc_perspectives_stopped
    ADD CONSTRAINT svc_perspectives_stopped_pkey PRIMARY KEY (perspective, stream_id);
ALTER TABLE ONLY public.svc_schema_migrations
    ADD CONSTRAINT svc_schema_migrations_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.svc_snapshots_audit_log_perspective
    ADD CONSTRAINT svc_snapshots_audit_log_perspective_pkey PRIMARY KEY (key, event_id);
ALTER TABLE ONLY public.svc_snapshots_customer_overview_perspective
    ADD CONSTRAINT svc_snapshots_customer_overview_perspective_pkey PRIMARY KEY (key, event_id);
ALTER TABLE ONLY public.svc_snapshots_order_summary_perspective
    ADD CONSTRAINT svc_snapshots_order_summary_perspective_pkey PRIMARY KEY (key, event_id);
ALTER TABLE ONLY public.svc_sources_audit_log_perspective
    ADD CONSTRAINT svc_sources_audit_log_perspective_pkey PRIMARY KEY (key, stream_id);
ALTER TABLE ONLY public.svc_sources_customer_overview_perspective
    ADD CONSTRAINT svc_sources_customer_overview_perspective_pkey PRIMARY KEY (key, stream_id);
ALTER TABLE ONLY public.svc_sources_order_summary_perspective
    ADD CONSTRAINT svc_sources_order_summary_perspective_pkey PRIMARY KEY (key, stream_id);
CREATE INDEX svc_events_order ON public.svc_events USING btree (transaction_id, sequence);
CREATE INDEX svc_idempotency_age ON public.svc_idempotency USING btree (kept_at);
CREATE INDEX svc_inbox_age ON public.svc_inbox USING btree (received_at);
CREATE INDEX svc_operations_age ON public.svc_operations USING btree (requested_at);
CREATE UNIQUE INDEX svc_operations_alone ON public.svc_operations USING btree (alone) WHERE (finished_at IS NULL);
CREATE INDEX svc_operations_open ON public.svc_operations USING btree (id) WHERE (finished_at IS NULL);
CREATE INDEX svc_perspective_order_summary_perspective_p_customer_id_key_idx ON public.svc_perspective_order_summary_perspective USING btree (p_customer_id NULLS FIRST, key);
CREATE INDEX svc_perspective_order_summary_perspective_p_paid_amount_key_idx ON public.svc_perspective_order_summary_perspective USING btree (p_paid_amount NULLS FIRST, key);
CREATE INDEX svc_perspective_order_summary_perspective_p_placed_at_key_idx ON public.svc_perspective_order_summary_perspective USING btree (p_placed_at NULLS FIRST, key);
CREATE INDEX svc_perspective_order_summary_perspective_p_status_key_idx ON public.svc_perspective_order_summary_perspective USING btree (p_status NULLS FIRST, key);
CREATE INDEX svc_sources_audit_log_perspective_stream_id_idx ON public.svc_sources_audit_log_perspective USING btree (stream_id);
CREATE INDEX svc_sources_customer_overview_perspective_stream_id_idx ON public.svc_sources_customer_overview_perspective USING btree (stream_id);
CREATE INDEX svc_sources_order_summary_perspective_stream_id_idx ON public.svc_sources_order_summary_perspective USING btree (stream_id);
CREATE TRIGGER svc_events_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.svc_events FOR EACH STATEMENT EXECUTE FUNCTION public.svc_refuse_change();
