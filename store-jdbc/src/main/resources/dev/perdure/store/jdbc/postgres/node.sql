-- name: clock
-- Only for readings that tell what time it was; every other statement asks by itself.
SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now;

-- name: join
INSERT INTO node (id, name, kinds, joined_at, valid_until)
SELECT
  :id, :name, :kinds, clock.now, clock.now + :validity_ms * INTERVAL '1 millisecond'
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
ON CONFLICT DO NOTHING;

-- name: lock
-- in claim.take

-- name: renew
UPDATE node
SET valid_until = clock.now + :validity_ms * INTERVAL '1 millisecond'
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
WHERE id = :id
  AND dead_at IS NULL
  AND valid_until > clock.now;

-- name: leave
DELETE FROM node
WHERE id = :id;

-- name: bury
WITH clock AS MATERIALIZED (
  SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now
),
lapsed AS MATERIALIZED (
  SELECT n.id
  FROM node n
  CROSS JOIN clock
  WHERE n.dead_at IS NULL
    AND n.valid_until <= clock.now
  ORDER BY n.id
  LIMIT :limit
)
UPDATE node
SET dead_at = clock.now
FROM clock, lapsed
WHERE node.id = lapsed.id
  AND node.dead_at IS NULL
  AND node.valid_until <= clock.now
RETURNING node.id;

-- name: forget
DELETE FROM node
WHERE dead_at < COALESCE(CAST(:now AS timestamptz), clock_timestamp()) - INTERVAL '1 day';

-- name: alive
SELECT n.id, n.name, n.kinds
FROM node n
WHERE n.dead_at IS NULL
  AND n.valid_until > COALESCE(CAST(:now AS timestamptz), clock_timestamp())
ORDER BY n.joined_at, n.id;

-- name: listen
LISTEN perdure;

-- name: unlisten
UNLISTEN perdure;

-- name: notify
SELECT pg_notify('perdure', :sender);
