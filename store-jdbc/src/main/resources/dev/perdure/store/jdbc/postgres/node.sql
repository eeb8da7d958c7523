-- name: clock
-- Only for readings that tell what time it was; every other statement asks by itself.
SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now;

-- name: join
INSERT INTO perdure_node (id, name, kinds, joined_at, valid_until)
SELECT
  :id, :name, :kinds, clock.now, clock.now + :validity_ms * INTERVAL '1 millisecond'
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
ON CONFLICT DO NOTHING;

-- name: lock
-- in claim.take

-- name: renew
UPDATE perdure_node
SET valid_until = clock.now + :validity_ms * INTERVAL '1 millisecond'
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
WHERE id = :id
  AND dead_at IS NULL
  AND valid_until > clock.now;

-- name: leave
DELETE FROM perdure_node
WHERE id = :id;

-- name: bury
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
lapsed AS MATERIALIZED (
  SELECT n.id
  FROM perdure_node n
  CROSS JOIN clock
  WHERE n.dead_at IS NULL
    AND n.valid_until <= clock.now
  ORDER BY n.id
  LIMIT :limit
)
UPDATE perdure_node
SET dead_at = clock.now
FROM clock, lapsed
WHERE perdure_node.id = lapsed.id
  AND perdure_node.dead_at IS NULL
  AND perdure_node.valid_until <= clock.now
RETURNING perdure_node.id;

-- name: forget
DELETE FROM perdure_node
WHERE dead_at < COALESCE(CAST(:now AS timestamptz), clock_timestamp()) - INTERVAL '1 day';

-- name: alive
SELECT n.id, n.name, n.kinds
FROM perdure_node n
WHERE n.dead_at IS NULL
  AND n.valid_until > COALESCE(CAST(:now AS timestamptz), clock_timestamp())
ORDER BY n.joined_at, n.id;

-- name: listen
LISTEN perdure;

-- name: unlisten
UNLISTEN perdure;

-- name: notify
SELECT pg_notify('perdure', :sender);
