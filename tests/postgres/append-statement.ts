/** Appends one event to a new stream, as SQL from outside of a storage. */
export const appendStatement = `
  INSERT INTO svc_events (id, stream_id, position, type, body, timestamp, correlation_id, metadata)
  VALUES (gen_random_uuid(), gen_random_uuid(), 0, 'test.Appended', '{}', now(), gen_random_uuid(), '{}')
  RETURNING id`;
