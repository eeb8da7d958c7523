-- name: clock
-- Used only by reads that return the database's time. Every other statement reads the clock itself.
SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now;

-- name: join
INSERT INTO perdure_node (id, name, kinds, joined_at, expires_at)
SELECT
  :id, :name, :kinds, clock.now, clock.now + :validity_ms * INTERVAL '1 millisecond'
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
ON CONFLICT DO NOTHING;

-- name: find_alive
-- in claim.take

-- name: renew
UPDATE perdure_node
SET expires_at = clock.now + :validity_ms * INTERVAL '1 millisecond'
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
WHERE id = :id
  AND dead_at IS NULL
  AND expires_at > clock.now;

-- name: leave
DELETE FROM perdure_node
WHERE id = :id;

-- name: mark_dead
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
expired AS MATERIALIZED (
  SELECT n.id
  FROM perdure_node n
  CROSS JOIN clock
  WHERE n.dead_at IS NULL
    AND n.expires_at <= clock.now
  ORDER BY n.id
  LIMIT :limit
)
UPDATE perdure_node
SET dead_at = clock.now
FROM clock, expired
WHERE perdure_node.id = expired.id
  AND perdure_node.dead_at IS NULL
  AND perdure_node.expires_at <= clock.now
RETURNING perdure_node.id;

-- name: delete_dead
DELETE FROM perdure_node
WHERE dead_at < COALESCE(CAST(:now AS timestamptz), clock_timestamp()) - INTERVAL '1 day';

-- name: find_name
SELECT n.name
FROM perdure_node n
WHERE n.id = :id;

-- name: list_alive
SELECT n.id, n.name, n.kinds
FROM perdure_node n
WHERE n.dead_at IS NULL
  AND n.expires_at > COALESCE(CAST(:now AS timestamptz), clock_timestamp())
ORDER BY n.joined_at, n.id;

-- name: report_load
UPDATE perdure_node
SET version = :version,
    slots = :slots,
    busy = :busy,
    remote_kinds = :remote_kinds,
    seen_at = COALESCE(CAST(:now AS timestamptz), clock_timestamp())
WHERE id = :id
  AND dead_at IS NULL
  AND expires_at > COALESCE(CAST(:now AS timestamptz), clock_timestamp());

-- name: list_recent
SELECT
  n.id, n.name, n.kinds, n.joined_at, n.expires_at, n.dead_at, n.version, n.slots, n.busy,
  n.remote_kinds, n.seen_at
FROM perdure_node n
ORDER BY CASE WHEN n.dead_at IS NULL THEN 0 ELSE 1 END, n.joined_at DESC, n.id DESC
LIMIT :limit;

-- name: listen
LISTEN perdure;

-- name: unlisten
UNLISTEN perdure;

-- name: notify
SELECT pg_notify('perdure', :sender);
