-- name: begin
-- Takes the write lock, so that one process migrates at a time.
BEGIN IMMEDIATE;

-- name: lock
-- In begin.

-- name: exists
SELECT EXISTS (
  SELECT 1
  FROM sqlite_master m
  WHERE m.type = 'table'
    AND m.name = 'perdure_schema') AS found;

-- name: create
CREATE TABLE IF NOT EXISTS perdure_schema (
  version    INTEGER NOT NULL,
  name       TEXT    NOT NULL,
  checksum   INTEGER NOT NULL,
  applied_at INTEGER NOT NULL,
  CONSTRAINT perdure_schema_key PRIMARY KEY (version)
) STRICT, WITHOUT ROWID;

-- name: list
SELECT s.version, s.checksum
FROM perdure_schema s
ORDER BY s.version;

-- name: add
INSERT INTO perdure_schema (version, name, checksum, applied_at)
VALUES (:version, :name, :checksum, CAST(ROUND(unixepoch('subsec') * 1000) AS INTEGER));
