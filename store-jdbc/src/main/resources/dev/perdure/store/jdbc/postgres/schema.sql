-- name: begin
-- At a higher level, the snapshot would be older than the lock, and hide what another process has
-- just migrated.
BEGIN ISOLATION LEVEL READ COMMITTED;

-- name: lock
-- One process at a time, until the transaction ends. The number is "perdure" in ASCII.
SELECT pg_advisory_xact_lock(x'70657264757265'::bigint);

-- name: exists
-- Only in the schema in which tables are created. Others in the search path are not ours. It reads
-- the catalog, because to_regclass may answer from a cache that is older than the lock.
SELECT EXISTS (
  SELECT 1
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = current_schema()
    AND c.relname = 'perdure_schema') AS found;

-- name: create
CREATE TABLE IF NOT EXISTS perdure_schema (
  version    int         NOT NULL,
  name       text        NOT NULL,
  checksum   bigint      NOT NULL,
  applied_at timestamptz NOT NULL,
  CONSTRAINT perdure_schema_key PRIMARY KEY (version)
);

-- name: list
SELECT s.version, s.checksum
FROM perdure_schema s
ORDER BY s.version;

-- name: add
INSERT INTO perdure_schema (version, name, checksum, applied_at)
VALUES (:version, :name, :checksum, clock_timestamp());
