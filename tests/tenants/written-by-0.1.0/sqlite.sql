PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE svc_schema_migrations (
    key              TEXT PRIMARY KEY,
    hash             TEXT,
    status           INTEGER NOT NULL,
    description      TEXT NOT NULL,
    strategy         TEXT NOT NULL,
    failure_reason   INTEGER,
    error            TEXT,
    library_version  TEXT NOT NULL,
    requires_version TEXT,
    definition       TEXT,
    previous_hashes  TEXT NOT NULL,
    target_hash      TEXT, -- of what it is being rewritten to in the background
    progress         TEXT,
    backup           TEXT,
    applied_at       INTEGER,
    updated_at       INTEGER NOT NULL,
    duration_ms      INTEGER NOT NULL
  ) STRICT;
INSERT INTO svc_schema_migrations VALUES('infrastructure/events','sha256:cfb0067a4a917ec7f8ca019f9a967dbd1380dbc95e4799c398aca38bfbe95088',1,'Applied for the first time.','DirectDdl',NULL,NULL,'0.1.0',NULL,NULL,'[]',NULL,NULL,NULL,1794820623156,1794820623156,0);
INSERT INTO svc_schema_migrations VALUES('infrastructure/outbox','sha256:d36660d970f99537cb10d8f44bc97fd4fa18dfe9b8a5d690be1badc795939cac',1,'Applied for the first time.','DirectDdl',NULL,NULL,'0.1.0',NULL,NULL,'[]',NULL,NULL,NULL,1794820623158,1794820623158,0);
INSERT INTO svc_schema_migrations VALUES('infrastructure/leases','sha256:fd4497ceea4bc531a7a5dab401e0431acd3c8a7923abd2c4aaa68694fecff5af',1,'Applied for the first time.','DirectDdl',NULL,NULL,'0.1.0',NULL,NULL,'[]',NULL,NULL,NULL,1794820623173,1794820623173,0);
INSERT INTO svc_schema_migrations VALUES('infrastructure/inbox','sha256:27a17cad8d872d6654ce43611d29c0bc67a17a353d21661e79b9e11c9b7a5a88',1,'Applied for the first time.','DirectDdl',NULL,NULL,'0.1.0',NULL,NULL,'[]',NULL,NULL,NULL,1794820623175,1794820623175,0);
INSERT INTO svc_schema_migrations VALUES('infrastructure/idempotency','sha256:d299a8c35b81920aa3ac5c92eebc39403b7dda0cc2c0bef2996876964889943f',1,'Applied for the first time.','DirectDdl',NULL,NULL,'0.1.0',NULL,NULL,'[]',NULL,NULL,NULL,1794820623181,1794820623181,0);
INSERT INTO svc_schema_migrations VALUES('infrastructure/dead-letters','sha256:18f7ff58f961f86e784eb2f3c312940072f4da0ef104b0a19bdd13c6be2f2976',1,'Applied for the first time.','DirectDdl',NULL,NULL,'0.1.0',NULL,NULL,'[]',NULL,NULL,NULL,1794820623187,1794820623187,0);
INSERT INTO svc_schema_migrations VALUES('infrastructure/perspectives','sha256:8c4eef25c95f3bb3cf4f368d827dd2f7fb1a19d9f8cdab2fd7788914c4f6c27d',1,'Applied for the first time.','DirectDdl',NULL,NULL,'0.1.0',NULL,NULL,'[]',NULL,NULL,NULL,1794820623192,1794820623192,0);
INSERT INTO svc_schema_migrations VALUES('infrastructure/operations','sha256:585599649739394c6edd10d44116cc10f4abb8eed51b9591ee9d1b5a2fe358cc',1,'Applied for the first time.','DirectDdl',NULL,NULL,'0.1.0',NULL,NULL,'[]',NULL,NULL,NULL,1794820623193,1794820623193,0);
INSERT INTO svc_schema_migrations VALUES('perspective/AuditLogPerspective','sha256:993222db2da4e070a3982009e12efe64c037a0208100d062e44d2f9114015e51',1,'Applied for the first time.','DirectDdl',NULL,NULL,'0.1.0',NULL,'{"table":"svc_perspective_audit_log_perspective","key":"key","revision":"revision","columns":[{"name":"key","type":"text","required":true},{"name":"body","type":"text","required":false},{"name":"version","type":"integer","required":true},{"name":"last_event_id","type":"uuid","required":true},{"name":"revision","type":"integer","required":true},{"name":"tenant_id","type":"text","required":false},{"name":"user_id","type":"text","required":false},{"name":"organization_id","type":"text","required":false},{"name":"customer_id","type":"text","required":false},{"name":"allowed_principals","type":"texts","required":false},{"name":"extensions","type":"json","required":false}],"indexes":[],"version":"1.5e47eddc829a24e5","perspective":"AuditLogPerspective"}','[]',NULL,NULL,NULL,1794820623209,1794820623209,0);
INSERT INTO svc_schema_migrations VALUES('perspective/CustomerOverviewPerspective','sha256:b209c0fe030deedc764b722a73b720dd8db6d89622a867731739f05cede0f6d0',1,'Applied for the first time.','DirectDdl',NULL,NULL,'0.1.0',NULL,'{"table":"svc_perspective_customer_overview_perspective","key":"key","revision":"revision","columns":[{"name":"key","type":"text","required":true},{"name":"body","type":"text","required":false},{"name":"version","type":"integer","required":true},{"name":"last_event_id","type":"uuid","required":true},{"name":"revision","type":"integer","required":true},{"name":"tenant_id","type":"text","required":false},{"name":"user_id","type":"text","required":false},{"name":"organization_id","type":"text","required":false},{"name":"customer_id","type":"text","required":false},{"name":"allowed_principals","type":"texts","required":false},{"name":"extensions","type":"json","required":false}],"indexes":[],"version":"1.5589712cbcab13bf","perspective":"CustomerOverviewPerspective"}','[]',NULL,NULL,NULL,1794820623212,1794820623212,0);
INSERT INTO svc_schema_migrations VALUES('perspective/OrderSummaryPerspective','sha256:502a31a316f116e3dcf2225520985ba376389164a8b8fc5397f2dd66de5dcc0c',1,'Applied for the first time.','DirectDdl',NULL,NULL,'0.1.0',NULL,'{"table":"svc_perspective_order_summary_perspective","key":"key","revision":"revision","columns":[{"name":"key","type":"text","required":true},{"name":"body","type":"text","required":false},{"name":"version","type":"integer","required":true},{"name":"last_event_id","type":"uuid","required":true},{"name":"revision","type":"integer","required":true},{"name":"tenant_id","type":"text","required":false},{"name":"user_id","type":"text","required":false},{"name":"organization_id","type":"text","required":false},{"name":"customer_id","type":"text","required":false},{"name":"allowed_principals","type":"texts","required":false},{"name":"extensions","type":"json","required":false},{"name":"p_customer_id","type":"text","required":false,"fill":{"column":"body","path":["customerId"]}},{"name":"p_paid_amount","type":"decimal","required":false,"fill":{"column":"body","path":["paidAmount"]}},{"name":"p_placed_at","type":"timestamp","required":false,"fill":{"column":"body","path":["placedAt"]}},{"name":"p_status","type":"text","required":false,"fill":{"column":"body","path":["status"]}}],"indexes":[["p_customer_id","key"],["p_paid_amount","key"],["p_placed_at","key"],["p_status","key"]],"version":"1.3b89062b61d7f654","perspective":"OrderSummaryPerspective"}','[]',NULL,NULL,NULL,1794820623218,1794820623218,0);
CREATE TABLE svc_migration_locks (
    name       TEXT PRIMARY KEY,
    holder     TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
CREATE TABLE svc_events (
        sequence       INTEGER PRIMARY KEY,
        id             TEXT NOT NULL UNIQUE,
        stream_id      TEXT NOT NULL,
        position       INTEGER NOT NULL,
        type           TEXT NOT NULL,
        body           TEXT NOT NULL,
        timestamp      INTEGER NOT NULL,
        correlation_id TEXT NOT NULL,
        causation_id   TEXT,
        scope          TEXT,
        metadata       TEXT NOT NULL,
        UNIQUE (stream_id, position)
      ) STRICT;
INSERT INTO svc_events VALUES(0,'01a1e3a5-4b9a-7166-88e1-6a22062324af','00000000-0000-0000-0000-000000000001',0,'svc.MigrationBatchStarted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","libraryVersion":"0.1.0","totalMigrations":8,"totalPerspectives":3}',1794820623258,'01a1e3a5-4b9a-7166-88e1-6a22062324af',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(1,'01a1e3a5-4ba5-716a-9bf5-af9fa5b7a63b','00000000-0000-0000-0000-000000000001',1,'svc.MigrationItemStarted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/events","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:cfb0067a4a917ec7f8ca019f9a967dbd1380dbc95e4799c398aca38bfbe95088"}',1794820623269,'01a1e3a5-4ba5-716a-9bf5-af9fa5b7a63b',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(2,'01a1e3a5-4bb1-72ae-b5bb-cdec540c8fe9','00000000-0000-0000-0000-000000000001',2,'svc.MigrationItemCompleted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/events","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.002S"}',1794820623281,'01a1e3a5-4bb1-72ae-b5bb-cdec540c8fe9',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(3,'01a1e3a5-4bbb-7282-ab9c-41da972f2aae','00000000-0000-0000-0000-000000000001',3,'svc.MigrationItemStarted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/outbox","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:d36660d970f99537cb10d8f44bc97fd4fa18dfe9b8a5d690be1badc795939cac"}',1794820623291,'01a1e3a5-4bbb-7282-ab9c-41da972f2aae',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(4,'01a1e3a5-4bc4-7342-b188-a21eac9af3a4','00000000-0000-0000-0000-000000000001',4,'svc.MigrationItemCompleted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/outbox","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.015S"}',1794820623300,'01a1e3a5-4bc4-7342-b188-a21eac9af3a4',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(5,'01a1e3a5-4bc7-724a-ad74-15201cb8a9d7','00000000-0000-0000-0000-000000000001',5,'svc.MigrationItemStarted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/leases","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:fd4497ceea4bc531a7a5dab401e0431acd3c8a7923abd2c4aaa68694fecff5af"}',1794820623303,'01a1e3a5-4bc7-724a-ad74-15201cb8a9d7',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(6,'01a1e3a5-4bd1-7262-bac3-3ebf78c7459e','00000000-0000-0000-0000-000000000001',6,'svc.MigrationItemCompleted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/leases","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.002S"}',1794820623313,'01a1e3a5-4bd1-7262-bac3-3ebf78c7459e',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(7,'01a1e3a5-4bd9-72f1-a333-1e41a1323ed8','00000000-0000-0000-0000-000000000001',7,'svc.MigrationItemStarted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/inbox","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:27a17cad8d872d6654ce43611d29c0bc67a17a353d21661e79b9e11c9b7a5a88"}',1794820623321,'01a1e3a5-4bd9-72f1-a333-1e41a1323ed8',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(8,'01a1e3a5-4be1-7313-9a61-d5c8dc11a4cb','00000000-0000-0000-0000-000000000001',8,'svc.MigrationItemCompleted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/inbox","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.006S"}',1794820623329,'01a1e3a5-4be1-7313-9a61-d5c8dc11a4cb',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(9,'01a1e3a5-4be9-7276-8f45-0bcc65b156ba','00000000-0000-0000-0000-000000000001',9,'svc.MigrationItemStarted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/idempotency","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:d299a8c35b81920aa3ac5c92eebc39403b7dda0cc2c0bef2996876964889943f"}',1794820623337,'01a1e3a5-4be9-7276-8f45-0bcc65b156ba',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(10,'01a1e3a5-4bed-7124-ba59-3d73c7e9246b','00000000-0000-0000-0000-000000000001',10,'svc.MigrationItemCompleted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/idempotency","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.006S"}',1794820623341,'01a1e3a5-4bed-7124-ba59-3d73c7e9246b',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(11,'01a1e3a5-4bf1-7148-b5b6-4775eccfd482','00000000-0000-0000-0000-000000000001',11,'svc.MigrationItemStarted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/dead-letters","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:18f7ff58f961f86e784eb2f3c312940072f4da0ef104b0a19bdd13c6be2f2976"}',1794820623345,'01a1e3a5-4bf1-7148-b5b6-4775eccfd482',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(12,'01a1e3a5-4bf5-73f2-89aa-c13e8b4a9864','00000000-0000-0000-0000-000000000001',12,'svc.MigrationItemCompleted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/dead-letters","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.005S"}',1794820623349,'01a1e3a5-4bf5-73f2-89aa-c13e8b4a9864',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(13,'01a1e3a5-4bf9-7196-a5a6-ceb2c65ffb68','00000000-0000-0000-0000-000000000001',13,'svc.MigrationItemStarted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/perspectives","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:8c4eef25c95f3bb3cf4f368d827dd2f7fb1a19d9f8cdab2fd7788914c4f6c27d"}',1794820623353,'01a1e3a5-4bf9-7196-a5a6-ceb2c65ffb68',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(14,'01a1e3a5-4bfb-727b-a708-83823290c3ce','00000000-0000-0000-0000-000000000001',14,'svc.MigrationItemCompleted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/perspectives","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.001S"}',1794820623355,'01a1e3a5-4bfb-727b-a708-83823290c3ce',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(15,'01a1e3a5-4c05-7013-8475-6a4c5012b34b','00000000-0000-0000-0000-000000000001',15,'svc.MigrationItemStarted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/operations","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:585599649739394c6edd10d44116cc10f4abb8eed51b9591ee9d1b5a2fe358cc"}',1794820623365,'01a1e3a5-4c05-7013-8475-6a4c5012b34b',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(16,'01a1e3a5-4c09-73cf-ae8e-aa5814a0435e','00000000-0000-0000-0000-000000000001',16,'svc.MigrationItemCompleted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"infrastructure/operations","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.016S"}',1794820623369,'01a1e3a5-4c09-73cf-ae8e-aa5814a0435e',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(17,'01a1e3a5-4c0d-70d7-bf89-9dd6480c48e9','00000000-0000-0000-0000-000000000001',17,'svc.MigrationItemStarted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"perspective/AuditLogPerspective","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:993222db2da4e070a3982009e12efe64c037a0208100d062e44d2f9114015e51"}',1794820623373,'01a1e3a5-4c0d-70d7-bf89-9dd6480c48e9',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(18,'01a1e3a5-4c17-7197-9996-0c8797e95765','00000000-0000-0000-0000-000000000001',18,'svc.MigrationItemCompleted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"perspective/AuditLogPerspective","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.003S"}',1794820623383,'01a1e3a5-4c17-7197-9996-0c8797e95765',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(19,'01a1e3a5-4c25-739c-8821-98f2a3d90981','00000000-0000-0000-0000-000000000001',19,'svc.MigrationItemStarted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"perspective/CustomerOverviewPerspective","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:b209c0fe030deedc764b722a73b720dd8db6d89622a867731739f05cede0f6d0"}',1794820623397,'01a1e3a5-4c25-739c-8821-98f2a3d90981',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(20,'01a1e3a5-4c2f-710d-9a14-d6b2d5fc1722','00000000-0000-0000-0000-000000000001',20,'svc.MigrationItemCompleted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"perspective/CustomerOverviewPerspective","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.006S"}',1794820623407,'01a1e3a5-4c2f-710d-9a14-d6b2d5fc1722',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(21,'01a1e3a5-4c3b-73a9-a468-dd88aec19a3d','00000000-0000-0000-0000-000000000001',21,'svc.MigrationItemStarted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"perspective/OrderSummaryPerspective","strategy":"DirectDdl","oldHash":null,"newHash":"sha256:502a31a316f116e3dcf2225520985ba376389164a8b8fc5397f2dd66de5dcc0c"}',1794820623419,'01a1e3a5-4c3b-73a9-a468-dd88aec19a3d',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(22,'01a1e3a5-4c45-71e9-93ae-3ad1232082f7','00000000-0000-0000-0000-000000000001',22,'svc.MigrationItemCompleted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","migrationKey":"perspective/OrderSummaryPerspective","status":1,"statusDescription":"Applied for the first time.","duration":"PT0.008S"}',1794820623429,'01a1e3a5-4c45-71e9-93ae-3ad1232082f7',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(23,'01a1e3a5-4c47-70cb-b566-70f39d31f61f','00000000-0000-0000-0000-000000000001',23,'svc.MigrationBatchCompleted','{"streamId":"01a1e3a5-4b31-72cf-b6ac-48c50294ce66","libraryVersion":"0.1.0","results":[{"migrationKey":"infrastructure/events","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"infrastructure/outbox","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"infrastructure/leases","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"infrastructure/inbox","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"infrastructure/idempotency","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"infrastructure/dead-letters","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"infrastructure/perspectives","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"infrastructure/operations","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"perspective/AuditLogPerspective","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"perspective/CustomerOverviewPerspective","status":1,"statusDescription":"Applied for the first time."},{"migrationKey":"perspective/OrderSummaryPerspective","status":1,"statusDescription":"Applied for the first time."}],"applied":11,"updated":0,"skipped":0,"failed":0,"totalDuration":"PT0.097S"}',1794820623431,'01a1e3a5-4c47-70cb-b566-70f39d31f61f',NULL,NULL,'{}');
INSERT INTO svc_events VALUES(24,'01a1e3a5-4e39-7197-ba09-81448b737f2c','00000000-0000-0000-0000-000000000001',24,'svc.ScopeContextEstablished','{"id":"01a1e3a5-4e34-70da-822d-42f179b4dec0","scope":{"tenantId":"evil","userId":"mallory"},"roles":["clerk"],"permissions":["orders:write","payments:write"],"source":"jwt","timestamp":"2026-11-16T09:17:03.924Z"}',1794820623930,'01a1e3a5-4e39-7197-ba09-81448b737f2c',NULL,'{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(25,'01a1e3a5-4e52-7337-a406-68129d38d6a9','01a1e3a5-4e51-729c-846c-8c9184771dae',0,'orders.OrderPlaced','{"orderId":"01a1e3a5-4e51-729c-846c-8c9184771dae","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"tea","quantity":2,"unitPrice":"3.50"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}}',1794820623954,'01a1e3a5-4e51-729b-993d-f2440c1b0913','01a1e3a5-4e51-729b-993d-f2440c1b0913','{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(26,'01a1e3a5-4e52-733a-a428-2b8e43fee275','01a1e3a5-4e51-729c-846c-8c9184771dae',1,'orders.StockReserved','{"orderId":"01a1e3a5-4e51-729c-846c-8c9184771dae","items":[{"productId":"tea","quantity":2}]}',1794820623954,'01a1e3a5-4e51-729b-993d-f2440c1b0913','01a1e3a5-4e52-7339-8f29-db353d77546d','{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(27,'01a1e3a5-4e52-7338-bb64-bd1b6a806145','00000000-0000-0000-0000-000000000001',25,'svc.EventAudited','{"id":"01a1e3a5-4e52-7338-bb64-bd1b6a806145","originalEventType":"orders.OrderPlaced","originalStreamId":"01a1e3a5-4e51-729c-846c-8c9184771dae","originalStreamPosition":0,"originalBody":{"orderId":"01a1e3a5-4e51-729c-846c-8c9184771dae","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"tea","quantity":2,"unitPrice":"3.50"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}},"timestamp":"2026-11-16T09:17:03.954Z","auditLevel":0,"originalEventId":"01a1e3a5-4e52-7337-a406-68129d38d6a9","tenantId":"evil","userId":"mallory","correlationId":"01a1e3a5-4e51-729b-993d-f2440c1b0913","causationId":"01a1e3a5-4e51-729b-993d-f2440c1b0913","scope":{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}}',1794820623954,'01a1e3a5-4e51-729b-993d-f2440c1b0913','01a1e3a5-4e52-7337-a406-68129d38d6a9','{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(28,'01a1e3a5-4e52-733b-a310-473eb933dcb3','00000000-0000-0000-0000-000000000001',26,'svc.EventAudited','{"id":"01a1e3a5-4e52-733b-a310-473eb933dcb3","originalEventType":"orders.StockReserved","originalStreamId":"01a1e3a5-4e51-729c-846c-8c9184771dae","originalStreamPosition":1,"originalBody":{"orderId":"01a1e3a5-4e51-729c-846c-8c9184771dae","items":[{"productId":"tea","quantity":2}]},"timestamp":"2026-11-16T09:17:03.954Z","auditLevel":0,"originalEventId":"01a1e3a5-4e52-733a-a428-2b8e43fee275","tenantId":"evil","userId":"mallory","correlationId":"01a1e3a5-4e51-729b-993d-f2440c1b0913","causationId":"01a1e3a5-4e52-7339-8f29-db353d77546d","scope":{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}}',1794820623954,'01a1e3a5-4e51-729b-993d-f2440c1b0913','01a1e3a5-4e52-733a-a428-2b8e43fee275','{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(29,'01a1e3a5-4e53-7037-ba11-825b78d2d79e','00000000-0000-0000-0000-000000000001',27,'svc.CommandAudited','{"id":"01a1e3a5-4e53-7037-ba11-825b78d2d79e","commandType":"orders.ReserveStock","commandBody":{"orderId":"01a1e3a5-4e51-729c-846c-8c9184771dae","items":[{"productId":"tea","quantity":2}]},"timestamp":"2026-11-16T09:17:03.955Z","auditLevel":0,"tenantId":"evil","userId":"mallory","correlationId":"01a1e3a5-4e51-729b-993d-f2440c1b0913","causationId":"01a1e3a5-4e51-729b-993d-f2440c1b0913","receptorName":"ReserveStockReceptor","scope":{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}}',1794820623955,'01a1e3a5-4e51-729b-993d-f2440c1b0913','01a1e3a5-4e52-7339-8f29-db353d77546d','{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(30,'01a1e3a5-4e53-7038-9ee5-5b2ba20ba16b','00000000-0000-0000-0000-000000000001',28,'svc.CommandAudited','{"id":"01a1e3a5-4e53-7038-9ee5-5b2ba20ba16b","commandType":"orders.CreateOrder","commandBody":{"customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"tea","quantity":2,"unitPrice":"3.50"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}},"timestamp":"2026-11-16T09:17:03.955Z","auditLevel":0,"tenantId":"evil","userId":"mallory","correlationId":"01a1e3a5-4e51-729b-993d-f2440c1b0913","receptorName":"CreateOrderReceptor","responseType":"OrderCreated","scope":{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}}',1794820623955,'01a1e3a5-4e51-729b-993d-f2440c1b0913','01a1e3a5-4e51-729b-993d-f2440c1b0913','{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(31,'01a1e3a5-4e62-7118-839f-e693044a6c7a','00000000-0000-0000-0000-000000000001',29,'svc.ScopeContextEstablished','{"id":"01a1e3a5-4e62-7117-bf3d-67e0130f1332","scope":{"tenantId":"acme","userId":"ann"},"roles":["clerk"],"permissions":["orders:write","payments:write"],"source":"jwt","timestamp":"2026-11-16T09:17:03.970Z"}',1794820623970,'01a1e3a5-4e62-7118-839f-e693044a6c7a',NULL,'{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(32,'01a1e3a5-4e8b-73cc-99ca-f14ceb971bbf','01a1e3a5-4e8b-73cb-b760-02f02d2e5ca4',0,'orders.OrderPlaced','{"orderId":"01a1e3a5-4e8b-73cb-b760-02f02d2e5ca4","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"tea","quantity":2,"unitPrice":"3.50"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}}',1794820624011,'01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899','01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899','{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(33,'01a1e3a5-4e8b-73cf-9b26-2c072157a575','01a1e3a5-4e8b-73cb-b760-02f02d2e5ca4',1,'orders.StockReserved','{"orderId":"01a1e3a5-4e8b-73cb-b760-02f02d2e5ca4","items":[{"productId":"tea","quantity":2}]}',1794820624011,'01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899','01a1e3a5-4e8b-73ce-a458-625ab217984b','{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(34,'01a1e3a5-4e8b-73cd-8cf1-2f4fedab2f44','00000000-0000-0000-0000-000000000001',30,'svc.EventAudited','{"id":"01a1e3a5-4e8b-73cd-8cf1-2f4fedab2f44","originalEventType":"orders.OrderPlaced","originalStreamId":"01a1e3a5-4e8b-73cb-b760-02f02d2e5ca4","originalStreamPosition":0,"originalBody":{"orderId":"01a1e3a5-4e8b-73cb-b760-02f02d2e5ca4","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"tea","quantity":2,"unitPrice":"3.50"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}},"timestamp":"2026-11-16T09:17:04.011Z","auditLevel":0,"originalEventId":"01a1e3a5-4e8b-73cc-99ca-f14ceb971bbf","tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899","causationId":"01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}',1794820624011,'01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899','01a1e3a5-4e8b-73cc-99ca-f14ceb971bbf','{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(35,'01a1e3a5-4e8b-73d0-975f-63db7079cf9b','00000000-0000-0000-0000-000000000001',31,'svc.EventAudited','{"id":"01a1e3a5-4e8b-73d0-975f-63db7079cf9b","originalEventType":"orders.StockReserved","originalStreamId":"01a1e3a5-4e8b-73cb-b760-02f02d2e5ca4","originalStreamPosition":1,"originalBody":{"orderId":"01a1e3a5-4e8b-73cb-b760-02f02d2e5ca4","items":[{"productId":"tea","quantity":2}]},"timestamp":"2026-11-16T09:17:04.011Z","auditLevel":0,"originalEventId":"01a1e3a5-4e8b-73cf-9b26-2c072157a575","tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899","causationId":"01a1e3a5-4e8b-73ce-a458-625ab217984b","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}',1794820624011,'01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899','01a1e3a5-4e8b-73cf-9b26-2c072157a575','{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(36,'01a1e3a5-4e8b-73d1-8c9d-5362cb7db549','00000000-0000-0000-0000-000000000001',32,'svc.CommandAudited','{"id":"01a1e3a5-4e8b-73d1-8c9d-5362cb7db549","commandType":"orders.ReserveStock","commandBody":{"orderId":"01a1e3a5-4e8b-73cb-b760-02f02d2e5ca4","items":[{"productId":"tea","quantity":2}]},"timestamp":"2026-11-16T09:17:04.011Z","auditLevel":0,"tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899","causationId":"01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899","receptorName":"ReserveStockReceptor","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}',1794820624011,'01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899','01a1e3a5-4e8b-73ce-a458-625ab217984b','{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(37,'01a1e3a5-4e8b-73d2-90b7-7856c0bf825c','00000000-0000-0000-0000-000000000001',33,'svc.CommandAudited','{"id":"01a1e3a5-4e8b-73d2-90b7-7856c0bf825c","commandType":"orders.CreateOrder","commandBody":{"customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"tea","quantity":2,"unitPrice":"3.50"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}},"timestamp":"2026-11-16T09:17:04.011Z","auditLevel":0,"tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899","receptorName":"CreateOrderReceptor","responseType":"OrderCreated","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}',1794820624011,'01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899','01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899','{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(38,'01a1e3a5-4eaa-722e-908f-f37d229d9173','01a1e3a5-4eaa-722d-97fd-94209aef4fd3',0,'orders.OrderPlaced','{"orderId":"01a1e3a5-4eaa-722d-97fd-94209aef4fd3","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"coffee","quantity":1,"unitPrice":"5"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}}',1794820624042,'01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1','01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1','{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(39,'01a1e3a5-4eaa-7231-bea4-980a9ac68be6','01a1e3a5-4eaa-722d-97fd-94209aef4fd3',1,'orders.StockReserved','{"orderId":"01a1e3a5-4eaa-722d-97fd-94209aef4fd3","items":[{"productId":"coffee","quantity":1}]}',1794820624042,'01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1','01a1e3a5-4eaa-7230-80e6-22b93b260b55','{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(40,'01a1e3a5-4eaa-722f-8e5f-3692cd627b99','00000000-0000-0000-0000-000000000001',34,'svc.EventAudited','{"id":"01a1e3a5-4eaa-722f-8e5f-3692cd627b99","originalEventType":"orders.OrderPlaced","originalStreamId":"01a1e3a5-4eaa-722d-97fd-94209aef4fd3","originalStreamPosition":0,"originalBody":{"orderId":"01a1e3a5-4eaa-722d-97fd-94209aef4fd3","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"coffee","quantity":1,"unitPrice":"5"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}},"timestamp":"2026-11-16T09:17:04.042Z","auditLevel":0,"originalEventId":"01a1e3a5-4eaa-722e-908f-f37d229d9173","tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1","causationId":"01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}',1794820624042,'01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1','01a1e3a5-4eaa-722e-908f-f37d229d9173','{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(41,'01a1e3a5-4eaa-7232-bda1-425ebd0049a4','00000000-0000-0000-0000-000000000001',35,'svc.EventAudited','{"id":"01a1e3a5-4eaa-7232-bda1-425ebd0049a4","originalEventType":"orders.StockReserved","originalStreamId":"01a1e3a5-4eaa-722d-97fd-94209aef4fd3","originalStreamPosition":1,"originalBody":{"orderId":"01a1e3a5-4eaa-722d-97fd-94209aef4fd3","items":[{"productId":"coffee","quantity":1}]},"timestamp":"2026-11-16T09:17:04.042Z","auditLevel":0,"originalEventId":"01a1e3a5-4eaa-7231-bea4-980a9ac68be6","tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1","causationId":"01a1e3a5-4eaa-7230-80e6-22b93b260b55","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}',1794820624042,'01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1','01a1e3a5-4eaa-7231-bea4-980a9ac68be6','{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(42,'01a1e3a5-4eaa-7233-87d3-d90b5b998554','00000000-0000-0000-0000-000000000001',36,'svc.CommandAudited','{"id":"01a1e3a5-4eaa-7233-87d3-d90b5b998554","commandType":"orders.ReserveStock","commandBody":{"orderId":"01a1e3a5-4eaa-722d-97fd-94209aef4fd3","items":[{"productId":"coffee","quantity":1}]},"timestamp":"2026-11-16T09:17:04.042Z","auditLevel":0,"tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1","causationId":"01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1","receptorName":"ReserveStockReceptor","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}',1794820624042,'01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1','01a1e3a5-4eaa-7230-80e6-22b93b260b55','{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(43,'01a1e3a5-4eaa-7234-8ed1-1798aeea6375','00000000-0000-0000-0000-000000000001',37,'svc.CommandAudited','{"id":"01a1e3a5-4eaa-7234-8ed1-1798aeea6375","commandType":"orders.CreateOrder","commandBody":{"customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","lineItems":[{"productId":"coffee","quantity":1,"unitPrice":"5"}],"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"}},"timestamp":"2026-11-16T09:17:04.042Z","auditLevel":0,"tenantId":"acme","userId":"ann","correlationId":"01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1","receptorName":"CreateOrderReceptor","responseType":"OrderCreated","scope":{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}}',1794820624042,'01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1','01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1','{"userId":"ann","tenantId":"acme","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(44,'01a1e3a5-4ed6-711e-b91a-af434250a7f8','01a1e3a5-4eaa-722d-97fd-94209aef4fd3',2,'orders.OrderCancelled','{"orderId":"01a1e3a5-4eaa-722d-97fd-94209aef4fd3","reason":"because I can"}',1794820624086,'01a1e3a5-4ed0-7092-b42d-45f3fe573cf2','01a1e3a5-4ed0-7092-b42d-45f3fe573cf2','{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(45,'01a1e3a5-4ed6-711f-8744-0e744fcc69b4','00000000-0000-0000-0000-000000000001',38,'svc.EventAudited','{"id":"01a1e3a5-4ed6-711f-8744-0e744fcc69b4","originalEventType":"orders.OrderCancelled","originalStreamId":"01a1e3a5-4eaa-722d-97fd-94209aef4fd3","originalStreamPosition":2,"originalBody":{"orderId":"01a1e3a5-4eaa-722d-97fd-94209aef4fd3","reason":"because I can"},"timestamp":"2026-11-16T09:17:04.086Z","auditLevel":1,"originalEventId":"01a1e3a5-4ed6-711e-b91a-af434250a7f8","tenantId":"evil","userId":"mallory","correlationId":"01a1e3a5-4ed0-7092-b42d-45f3fe573cf2","causationId":"01a1e3a5-4ed0-7092-b42d-45f3fe573cf2","auditReason":"Cancellations are looked into when customers complain.","scope":{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}}',1794820624086,'01a1e3a5-4ed0-7092-b42d-45f3fe573cf2','01a1e3a5-4ed6-711e-b91a-af434250a7f8','{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}','{}');
INSERT INTO svc_events VALUES(46,'01a1e3a5-4ed6-7120-94af-9b383717799c','00000000-0000-0000-0000-000000000001',39,'svc.CommandAudited','{"id":"01a1e3a5-4ed6-7120-94af-9b383717799c","commandType":"orders.CancelOrder","commandBody":{"orderId":"01a1e3a5-4eaa-722d-97fd-94209aef4fd3","reason":"because I can"},"timestamp":"2026-11-16T09:17:04.086Z","auditLevel":0,"tenantId":"evil","userId":"mallory","correlationId":"01a1e3a5-4ed0-7092-b42d-45f3fe573cf2","receptorName":"CancelOrderReceptor","scope":{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}}',1794820624086,'01a1e3a5-4ed0-7092-b42d-45f3fe573cf2','01a1e3a5-4ed0-7092-b42d-45f3fe573cf2','{"userId":"mallory","tenantId":"evil","roles":"clerk","source":"jwt"}','{}');
CREATE TABLE svc_outbox (
        lane        TEXT NOT NULL,
        sequence    INTEGER NOT NULL,
        id          TEXT NOT NULL UNIQUE,
        destination TEXT NOT NULL,
        message     TEXT, -- null when the event is the message, or the note says what there is to say beside it
        note        TEXT,
        event_id    TEXT,
        PRIMARY KEY (lane, sequence)
      ) STRICT, WITHOUT ROWID;
CREATE TABLE svc_leases (
        lane       TEXT PRIMARY KEY,
        holder     TEXT NOT NULL,
        process    TEXT NOT NULL, -- the machine and the number of the process, to see when it is gone
        expires_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
CREATE TABLE svc_inbox (
        id          TEXT PRIMARY KEY,
        received_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
CREATE TABLE svc_idempotency (
        id           TEXT PRIMARY KEY,
        request_hash TEXT NOT NULL,
        message_id   TEXT NOT NULL,
        result       TEXT NOT NULL,
        kept_at      INTEGER NOT NULL
      ) STRICT;
CREATE TABLE svc_dead_letters (
        id         TEXT PRIMARY KEY,
        direction  TEXT NOT NULL,
        cause      TEXT NOT NULL,
        message_id TEXT NOT NULL,
        record     TEXT NOT NULL
      ) STRICT;
CREATE TABLE svc_perspectives (
        name       TEXT PRIMARY KEY,
        sequence   INTEGER NOT NULL, -- of the last event it has taken; -1: none
        revision   INTEGER NOT NULL, -- changes with everything that is kept of it
        definition TEXT NOT NULL     -- its indexed properties
      ) STRICT, WITHOUT ROWID;
INSERT INTO svc_perspectives VALUES('AuditLogPerspective',46,34,'{"columns":[],"version":"1.5e47eddc829a24e5"}');
INSERT INTO svc_perspectives VALUES('CustomerOverviewPerspective',46,34,'{"columns":[],"version":"1.5589712cbcab13bf"}');
INSERT INTO svc_perspectives VALUES('OrderSummaryPerspective',46,34,'{"columns":[{"name":"customerId","type":"text"},{"name":"paidAmount","type":"decimal"},{"name":"placedAt","type":"timestamp"},{"name":"status","type":"text"}],"version":"1.3b89062b61d7f654"}');
CREATE TABLE svc_perspectives_stopped (
        perspective   TEXT NOT NULL,
        stream_id     TEXT NOT NULL,
        event_id      TEXT NOT NULL,
        position      INTEGER NOT NULL,
        error_name    TEXT NOT NULL,
        error_message TEXT NOT NULL,
        PRIMARY KEY (perspective, stream_id)
      ) STRICT, WITHOUT ROWID;
CREATE TABLE svc_operations (
        id           TEXT PRIMARY KEY,
        kind         TEXT NOT NULL,
        target       TEXT,
        arguments    TEXT NOT NULL,
        requested_by TEXT NOT NULL,
        requested_at INTEGER NOT NULL,
        wait_until   INTEGER NOT NULL, -- no host takes it later than that
        alone        TEXT,             -- of those that are open and have the same, there is one
        state        TEXT NOT NULL DEFAULT 'waiting',
        holder       TEXT,             -- the host that runs it
        held_until   INTEGER,
        attempts     INTEGER NOT NULL DEFAULT 0,
        progress     TEXT,
        result       TEXT,
        error        TEXT,
        started_at   INTEGER,
        finished_at  INTEGER
      ) STRICT;
CREATE TABLE IF NOT EXISTS "svc_perspective_audit_log_perspective" (
  "key" TEXT NOT NULL,
  "body" TEXT,
  "version" INTEGER NOT NULL,
  "last_event_id" TEXT NOT NULL,
  "revision" INTEGER NOT NULL,
  "tenant_id" TEXT,
  "user_id" TEXT,
  "organization_id" TEXT,
  "customer_id" TEXT,
  "allowed_principals" TEXT,
  "extensions" TEXT,
  PRIMARY KEY ("key")
) STRICT;
INSERT INTO svc_perspective_audit_log_perspective VALUES('01a1e3a5-4e52-7338-bb64-bd1b6a806145','{"auditId":"01a1e3a5-4e52-7338-bb64-bd1b6a806145","what":"event","type":"orders.OrderPlaced","streamId":"01a1e3a5-4e51-729c-846c-8c9184771dae","userId":"mallory","correlationId":"01a1e3a5-4e51-729b-993d-f2440c1b0913","at":"2026-11-16T09:17:03.954Z"}',1,'01a1e3a5-4e52-7338-bb64-bd1b6a806145',27,'evil','mallory',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}');
INSERT INTO svc_perspective_audit_log_perspective VALUES('01a1e3a5-4e52-733b-a310-473eb933dcb3','{"auditId":"01a1e3a5-4e52-733b-a310-473eb933dcb3","what":"event","type":"orders.StockReserved","streamId":"01a1e3a5-4e51-729c-846c-8c9184771dae","userId":"mallory","correlationId":"01a1e3a5-4e51-729b-993d-f2440c1b0913","at":"2026-11-16T09:17:03.954Z"}',1,'01a1e3a5-4e52-733b-a310-473eb933dcb3',27,'evil','mallory',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}');
INSERT INTO svc_perspective_audit_log_perspective VALUES('01a1e3a5-4e53-7037-ba11-825b78d2d79e','{"auditId":"01a1e3a5-4e53-7037-ba11-825b78d2d79e","what":"command","type":"orders.ReserveStock","streamId":null,"userId":"mallory","correlationId":"01a1e3a5-4e51-729b-993d-f2440c1b0913","at":"2026-11-16T09:17:03.955Z"}',1,'01a1e3a5-4e53-7037-ba11-825b78d2d79e',27,'evil','mallory',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}');
INSERT INTO svc_perspective_audit_log_perspective VALUES('01a1e3a5-4e53-7038-9ee5-5b2ba20ba16b','{"auditId":"01a1e3a5-4e53-7038-9ee5-5b2ba20ba16b","what":"command","type":"orders.CreateOrder","streamId":null,"userId":"mallory","correlationId":"01a1e3a5-4e51-729b-993d-f2440c1b0913","at":"2026-11-16T09:17:03.955Z"}',1,'01a1e3a5-4e53-7038-9ee5-5b2ba20ba16b',27,'evil','mallory',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}');
INSERT INTO svc_perspective_audit_log_perspective VALUES('01a1e3a5-4e8b-73cd-8cf1-2f4fedab2f44','{"auditId":"01a1e3a5-4e8b-73cd-8cf1-2f4fedab2f44","what":"event","type":"orders.OrderPlaced","streamId":"01a1e3a5-4e8b-73cb-b760-02f02d2e5ca4","userId":"ann","correlationId":"01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899","at":"2026-11-16T09:17:04.011Z"}',1,'01a1e3a5-4e8b-73cd-8cf1-2f4fedab2f44',30,'acme','ann',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}');
INSERT INTO svc_perspective_audit_log_perspective VALUES('01a1e3a5-4e8b-73d0-975f-63db7079cf9b','{"auditId":"01a1e3a5-4e8b-73d0-975f-63db7079cf9b","what":"event","type":"orders.StockReserved","streamId":"01a1e3a5-4e8b-73cb-b760-02f02d2e5ca4","userId":"ann","correlationId":"01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899","at":"2026-11-16T09:17:04.011Z"}',1,'01a1e3a5-4e8b-73d0-975f-63db7079cf9b',30,'acme','ann',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}');
INSERT INTO svc_perspective_audit_log_perspective VALUES('01a1e3a5-4e8b-73d1-8c9d-5362cb7db549','{"auditId":"01a1e3a5-4e8b-73d1-8c9d-5362cb7db549","what":"command","type":"orders.ReserveStock","streamId":null,"userId":"ann","correlationId":"01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899","at":"2026-11-16T09:17:04.011Z"}',1,'01a1e3a5-4e8b-73d1-8c9d-5362cb7db549',30,'acme','ann',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}');
INSERT INTO svc_perspective_audit_log_perspective VALUES('01a1e3a5-4e8b-73d2-90b7-7856c0bf825c','{"auditId":"01a1e3a5-4e8b-73d2-90b7-7856c0bf825c","what":"command","type":"orders.CreateOrder","streamId":null,"userId":"ann","correlationId":"01a1e3a5-4e8b-73ca-aa0c-8f1b00b8c899","at":"2026-11-16T09:17:04.011Z"}',1,'01a1e3a5-4e8b-73d2-90b7-7856c0bf825c',30,'acme','ann',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}');
INSERT INTO svc_perspective_audit_log_perspective VALUES('01a1e3a5-4eaa-722f-8e5f-3692cd627b99','{"auditId":"01a1e3a5-4eaa-722f-8e5f-3692cd627b99","what":"event","type":"orders.OrderPlaced","streamId":"01a1e3a5-4eaa-722d-97fd-94209aef4fd3","userId":"ann","correlationId":"01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1","at":"2026-11-16T09:17:04.042Z"}',1,'01a1e3a5-4eaa-722f-8e5f-3692cd627b99',32,'acme','ann',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}');
INSERT INTO svc_perspective_audit_log_perspective VALUES('01a1e3a5-4eaa-7232-bda1-425ebd0049a4','{"auditId":"01a1e3a5-4eaa-7232-bda1-425ebd0049a4","what":"event","type":"orders.StockReserved","streamId":"01a1e3a5-4eaa-722d-97fd-94209aef4fd3","userId":"ann","correlationId":"01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1","at":"2026-11-16T09:17:04.042Z"}',1,'01a1e3a5-4eaa-7232-bda1-425ebd0049a4',32,'acme','ann',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}');
INSERT INTO svc_perspective_audit_log_perspective VALUES('01a1e3a5-4eaa-7233-87d3-d90b5b998554','{"auditId":"01a1e3a5-4eaa-7233-87d3-d90b5b998554","what":"command","type":"orders.ReserveStock","streamId":null,"userId":"ann","correlationId":"01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1","at":"2026-11-16T09:17:04.042Z"}',1,'01a1e3a5-4eaa-7233-87d3-d90b5b998554',32,'acme','ann',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}');
INSERT INTO svc_perspective_audit_log_perspective VALUES('01a1e3a5-4eaa-7234-8ed1-1798aeea6375','{"auditId":"01a1e3a5-4eaa-7234-8ed1-1798aeea6375","what":"command","type":"orders.CreateOrder","streamId":null,"userId":"ann","correlationId":"01a1e3a5-4eaa-722c-9ee7-30073f6c7ee1","at":"2026-11-16T09:17:04.042Z"}',1,'01a1e3a5-4eaa-7234-8ed1-1798aeea6375',32,'acme','ann',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}');
INSERT INTO svc_perspective_audit_log_perspective VALUES('01a1e3a5-4ed6-711f-8744-0e744fcc69b4','{"auditId":"01a1e3a5-4ed6-711f-8744-0e744fcc69b4","what":"event","type":"orders.OrderCancelled","streamId":"01a1e3a5-4eaa-722d-97fd-94209aef4fd3","userId":"mallory","correlationId":"01a1e3a5-4ed0-7092-b42d-45f3fe573cf2","at":"2026-11-16T09:17:04.086Z"}',1,'01a1e3a5-4ed6-711f-8744-0e744fcc69b4',34,'evil','mallory',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}');
INSERT INTO svc_perspective_audit_log_perspective VALUES('01a1e3a5-4ed6-7120-94af-9b383717799c','{"auditId":"01a1e3a5-4ed6-7120-94af-9b383717799c","what":"command","type":"orders.CancelOrder","streamId":null,"userId":"mallory","correlationId":"01a1e3a5-4ed0-7092-b42d-45f3fe573cf2","at":"2026-11-16T09:17:04.086Z"}',1,'01a1e3a5-4ed6-7120-94af-9b383717799c',34,'evil','mallory',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}');
CREATE TABLE svc_sources_audit_log_perspective (
      key           TEXT NOT NULL,
      stream_id     TEXT NOT NULL,
      last_event_id TEXT NOT NULL,
      PRIMARY KEY (key, stream_id)
    ) STRICT, WITHOUT ROWID;
INSERT INTO svc_sources_audit_log_perspective VALUES('01a1e3a5-4e52-7338-bb64-bd1b6a806145','00000000-0000-0000-0000-000000000001','01a1e3a5-4e52-7338-bb64-bd1b6a806145');
INSERT INTO svc_sources_audit_log_perspective VALUES('01a1e3a5-4e52-733b-a310-473eb933dcb3','00000000-0000-0000-0000-000000000001','01a1e3a5-4e52-733b-a310-473eb933dcb3');
INSERT INTO svc_sources_audit_log_perspective VALUES('01a1e3a5-4e53-7037-ba11-825b78d2d79e','00000000-0000-0000-0000-000000000001','01a1e3a5-4e53-7037-ba11-825b78d2d79e');
INSERT INTO svc_sources_audit_log_perspective VALUES('01a1e3a5-4e53-7038-9ee5-5b2ba20ba16b','00000000-0000-0000-0000-000000000001','01a1e3a5-4e53-7038-9ee5-5b2ba20ba16b');
INSERT INTO svc_sources_audit_log_perspective VALUES('01a1e3a5-4e8b-73cd-8cf1-2f4fedab2f44','00000000-0000-0000-0000-000000000001','01a1e3a5-4e8b-73cd-8cf1-2f4fedab2f44');
INSERT INTO svc_sources_audit_log_perspective VALUES('01a1e3a5-4e8b-73d0-975f-63db7079cf9b','00000000-0000-0000-0000-000000000001','01a1e3a5-4e8b-73d0-975f-63db7079cf9b');
INSERT INTO svc_sources_audit_log_perspective VALUES('01a1e3a5-4e8b-73d1-8c9d-5362cb7db549','00000000-0000-0000-0000-000000000001','01a1e3a5-4e8b-73d1-8c9d-5362cb7db549');
INSERT INTO svc_sources_audit_log_perspective VALUES('01a1e3a5-4e8b-73d2-90b7-7856c0bf825c','00000000-0000-0000-0000-000000000001','01a1e3a5-4e8b-73d2-90b7-7856c0bf825c');
INSERT INTO svc_sources_audit_log_perspective VALUES('01a1e3a5-4eaa-722f-8e5f-3692cd627b99','00000000-0000-0000-0000-000000000001','01a1e3a5-4eaa-722f-8e5f-3692cd627b99');
INSERT INTO svc_sources_audit_log_perspective VALUES('01a1e3a5-4eaa-7232-bda1-425ebd0049a4','00000000-0000-0000-0000-000000000001','01a1e3a5-4eaa-7232-bda1-425ebd0049a4');
INSERT INTO svc_sources_audit_log_perspective VALUES('01a1e3a5-4eaa-7233-87d3-d90b5b998554','00000000-0000-0000-0000-000000000001','01a1e3a5-4eaa-7233-87d3-d90b5b998554');
INSERT INTO svc_sources_audit_log_perspective VALUES('01a1e3a5-4eaa-7234-8ed1-1798aeea6375','00000000-0000-0000-0000-000000000001','01a1e3a5-4eaa-7234-8ed1-1798aeea6375');
INSERT INTO svc_sources_audit_log_perspective VALUES('01a1e3a5-4ed6-711f-8744-0e744fcc69b4','00000000-0000-0000-0000-000000000001','01a1e3a5-4ed6-711f-8744-0e744fcc69b4');
INSERT INTO svc_sources_audit_log_perspective VALUES('01a1e3a5-4ed6-7120-94af-9b383717799c','00000000-0000-0000-0000-000000000001','01a1e3a5-4ed6-7120-94af-9b383717799c');
CREATE TABLE svc_snapshots_audit_log_perspective (
      key      TEXT NOT NULL,
      event_id TEXT NOT NULL,
      body     TEXT,
      version  INTEGER NOT NULL,
      scope    TEXT,
      PRIMARY KEY (key, event_id)
    ) STRICT;
CREATE TABLE IF NOT EXISTS "svc_perspective_customer_overview_perspective" (
  "key" TEXT NOT NULL,
  "body" TEXT,
  "version" INTEGER NOT NULL,
  "last_event_id" TEXT NOT NULL,
  "revision" INTEGER NOT NULL,
  "tenant_id" TEXT,
  "user_id" TEXT,
  "organization_id" TEXT,
  "customer_id" TEXT,
  "allowed_principals" TEXT,
  "extensions" TEXT,
  PRIMARY KEY ("key")
) STRICT;
INSERT INTO svc_perspective_customer_overview_perspective VALUES('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d','{"customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","orders":3,"products":[{"productId":"tea","pieces":4},{"productId":"coffee","pieces":1}],"lastOrderAt":"2026-11-16T09:17:04.042Z"}',3,'01a1e3a5-4eaa-722e-908f-f37d229d9173',31,'evil','mallory',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}');
CREATE TABLE svc_sources_customer_overview_perspective (
      key           TEXT NOT NULL,
      stream_id     TEXT NOT NULL,
      last_event_id TEXT NOT NULL,
      PRIMARY KEY (key, stream_id)
    ) STRICT, WITHOUT ROWID;
INSERT INTO svc_sources_customer_overview_perspective VALUES('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d','01a1e3a5-4e51-729c-846c-8c9184771dae','01a1e3a5-4e52-7337-a406-68129d38d6a9');
INSERT INTO svc_sources_customer_overview_perspective VALUES('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d','01a1e3a5-4e8b-73cb-b760-02f02d2e5ca4','01a1e3a5-4e8b-73cc-99ca-f14ceb971bbf');
INSERT INTO svc_sources_customer_overview_perspective VALUES('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d','01a1e3a5-4eaa-722d-97fd-94209aef4fd3','01a1e3a5-4eaa-722e-908f-f37d229d9173');
CREATE TABLE svc_snapshots_customer_overview_perspective (
      key      TEXT NOT NULL,
      event_id TEXT NOT NULL,
      body     TEXT,
      version  INTEGER NOT NULL,
      scope    TEXT,
      PRIMARY KEY (key, event_id)
    ) STRICT;
CREATE TABLE IF NOT EXISTS "svc_perspective_order_summary_perspective" (
  "key" TEXT NOT NULL,
  "body" TEXT,
  "version" INTEGER NOT NULL,
  "last_event_id" TEXT NOT NULL,
  "revision" INTEGER NOT NULL,
  "tenant_id" TEXT,
  "user_id" TEXT,
  "organization_id" TEXT,
  "customer_id" TEXT,
  "allowed_principals" TEXT,
  "extensions" TEXT,
  "p_customer_id" TEXT,
  "p_paid_amount" TEXT,
  "p_placed_at" INTEGER,
  "p_status" TEXT,
  PRIMARY KEY ("key")
) STRICT;
INSERT INTO svc_perspective_order_summary_perspective VALUES('01a1e3a5-4e51-729c-846c-8c9184771dae','{"orderId":"01a1e3a5-4e51-729c-846c-8c9184771dae","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","status":"open","pieces":2,"paidAmount":null,"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"},"placedAt":"2026-11-16T09:17:03.954Z","changedAt":"2026-11-16T09:17:03.954Z"}',1,'01a1e3a5-4e52-7337-a406-68129d38d6a9',26,'evil','mallory',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}','0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',NULL,1794820623954,'open');
INSERT INTO svc_perspective_order_summary_perspective VALUES('01a1e3a5-4e8b-73cb-b760-02f02d2e5ca4','{"orderId":"01a1e3a5-4e8b-73cb-b760-02f02d2e5ca4","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","status":"open","pieces":2,"paidAmount":null,"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"},"placedAt":"2026-11-16T09:17:04.011Z","changedAt":"2026-11-16T09:17:04.011Z"}',1,'01a1e3a5-4e8b-73cc-99ca-f14ceb971bbf',29,'acme','ann',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}','0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',NULL,1794820624011,'open');
INSERT INTO svc_perspective_order_summary_perspective VALUES('01a1e3a5-4eaa-722d-97fd-94209aef4fd3','{"orderId":"01a1e3a5-4eaa-722d-97fd-94209aef4fd3","customerId":"0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d","status":"cancelled","pieces":1,"paidAmount":null,"shippingAddress":{"street":"1 Main St","city":"Springfield","state":"IL","zipCode":"62701"},"placedAt":"2026-11-16T09:17:04.042Z","changedAt":"2026-11-16T09:17:04.086Z"}',2,'01a1e3a5-4ed6-711e-b91a-af434250a7f8',33,'acme','ann',NULL,NULL,NULL,'{"roles":"clerk","source":"jwt"}','0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',NULL,1794820624042,'cancelled');
CREATE TABLE svc_sources_order_summary_perspective (
      key           TEXT NOT NULL,
      stream_id     TEXT NOT NULL,
      last_event_id TEXT NOT NULL,
      PRIMARY KEY (key, stream_id)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE svc_snapshots_order_summary_perspective (
      key      TEXT NOT NULL,
      event_id TEXT NOT NULL,
      body     TEXT,
      version  INTEGER NOT NULL,
      scope    TEXT,
      PRIMARY KEY (key, event_id)
    ) STRICT;
CREATE TRIGGER svc_events_are_not_changed BEFORE UPDATE ON svc_events
      BEGIN SELECT RAISE(ABORT, 'svc_events is append-only: events are never changed'); END;
CREATE TRIGGER svc_events_are_not_deleted BEFORE DELETE ON svc_events
      BEGIN SELECT RAISE(ABORT, 'svc_events is append-only: events are never deleted'); END;
CREATE TRIGGER svc_events_are_not_replaced BEFORE INSERT ON svc_events
      WHEN EXISTS (
        SELECT 1 FROM svc_events
        WHERE sequence = NEW.sequence OR id = NEW.id OR (stream_id = NEW.stream_id AND position = NEW.position)
      )
      BEGIN SELECT RAISE(ABORT, 'svc_events is append-only: events are never replaced'); END;
CREATE INDEX svc_inbox_age ON svc_inbox (received_at);
CREATE INDEX svc_idempotency_age ON svc_idempotency (kept_at);
CREATE INDEX svc_operations_open ON svc_operations (id) WHERE finished_at IS NULL;
CREATE UNIQUE INDEX svc_operations_alone ON svc_operations (alone) WHERE finished_at IS NULL;
CREATE INDEX svc_operations_age ON svc_operations (requested_at);
CREATE INDEX svc_sources_audit_log_perspective_stream_01a1e3a54b33732daf4b82e97fd2238c ON svc_sources_audit_log_perspective (stream_id);
CREATE INDEX svc_sources_customer_overview_perspective_stream_01a1e3a54b33732e89d90297cad6dcf8 ON svc_sources_customer_overview_perspective (stream_id);
CREATE INDEX "svc_perspective_order_summary_perspective_fc006f71" ON "svc_perspective_order_summary_perspective" ("p_customer_id", "key");
CREATE INDEX "svc_perspective_order_summary_perspective_efcdd4d4" ON "svc_perspective_order_summary_perspective" ("p_paid_amount", "key");
CREATE INDEX "svc_perspective_order_summary_perspective_b00e9692" ON "svc_perspective_order_summary_perspective" ("p_placed_at", "key");
CREATE INDEX "svc_perspective_order_summary_perspective_2454a1a2" ON "svc_perspective_order_summary_perspective" ("p_status", "key");
CREATE INDEX svc_sources_order_summary_perspective_stream_01a1e3a54b33732fb93198b8a7144e10 ON svc_sources_order_summary_perspective (stream_id);
COMMIT;
