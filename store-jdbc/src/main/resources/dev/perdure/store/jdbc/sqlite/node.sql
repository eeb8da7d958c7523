-- name: clock
-- Read once per operation; the operation's other statements get the result as :now.
SELECT COALESCE(:now, CAST(ROUND(unixepoch('subsec') * 1000) AS INTEGER)) AS now;

-- name: join
INSERT INTO perdure_node (id, name, kinds, joined_at, expires_at)
VALUES (:id, :name, :kinds, :now, :now + :validity_ms)
ON CONFLICT DO NOTHING;

-- name: find_alive
-- SQLite has one writer, so the node cannot be marked dead before the claim is committed.
SELECT n.id
FROM perdure_node n
WHERE n.id = :node
  AND n.dead_at IS NULL
  AND n.expires_at > :now;

-- name: renew
UPDATE perdure_node
SET expires_at = :now + :validity_ms
WHERE id = :id
  AND dead_at IS NULL
  AND expires_at > :now;

-- name: leave
DELETE FROM perdure_node
WHERE id = :id;

-- name: mark_dead
UPDATE perdure_node
SET dead_at = :now
WHERE dead_at IS NULL
  AND expires_at <= :now
  AND id IN (
    SELECT n.id
    FROM perdure_node n
    WHERE n.dead_at IS NULL
      AND n.expires_at <= :now
    ORDER BY n.id
    LIMIT :limit + 0)
RETURNING id;

-- name: delete_dead
DELETE FROM perdure_node
WHERE dead_at < :now - 86400000;

-- name: find_name
SELECT n.name
FROM perdure_node n
WHERE n.id = :id;

-- name: list_alive
SELECT n.id, n.name, n.kinds
FROM perdure_node n
WHERE n.dead_at IS NULL
  AND n.expires_at > :now
ORDER BY n.joined_at, n.id;

-- name: report_load
UPDATE perdure_node
SET version = :version,
    slots = :slots,
    busy = :busy,
    remote_kinds = :remote_kinds,
    seen_at = :now
WHERE id = :id
  AND dead_at IS NULL
  AND expires_at > :now;

-- name: list_recent
SELECT
  n.id, n.name, n.kinds, n.joined_at, n.expires_at, n.dead_at, n.version, n.slots, n.busy,
  n.remote_kinds, n.seen_at
FROM perdure_node n
ORDER BY CASE WHEN n.dead_at IS NULL THEN 0 ELSE 1 END, n.joined_at DESC, n.id DESC
LIMIT :limit + 0;

-- name: listen
-- not supported: SQLite cannot notify other processes

-- name: unlisten
-- not supported

-- name: notify
-- not supported
