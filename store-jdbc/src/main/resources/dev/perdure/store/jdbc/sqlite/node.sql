-- name: clock
-- Asked once for each operation; its other statements take the answer.
SELECT COALESCE(:now, CAST(ROUND(unixepoch('subsec') * 1000) AS INTEGER)) AS now;

-- name: join
INSERT INTO perdure_node (id, name, kinds, joined_at, valid_until)
VALUES (:id, :name, :kinds, :now, :now + :validity_ms)
ON CONFLICT DO NOTHING;

-- name: lock
-- There is one writer: nobody can mark the node dead before the claim is over.
SELECT n.id
FROM perdure_node n
WHERE n.id = :node
  AND n.dead_at IS NULL
  AND n.valid_until > :now;

-- name: renew
UPDATE perdure_node
SET valid_until = :now + :validity_ms
WHERE id = :id
  AND dead_at IS NULL
  AND valid_until > :now;

-- name: leave
DELETE FROM perdure_node
WHERE id = :id;

-- name: bury
UPDATE perdure_node
SET dead_at = :now
WHERE dead_at IS NULL
  AND valid_until <= :now
  AND id IN (
    SELECT n.id
    FROM perdure_node n
    WHERE n.dead_at IS NULL
      AND n.valid_until <= :now
    ORDER BY n.id
    LIMIT :limit)
RETURNING id;

-- name: forget
DELETE FROM perdure_node
WHERE dead_at < :now - 86400000;

-- name: alive
SELECT n.id, n.name, n.kinds
FROM perdure_node n
WHERE n.dead_at IS NULL
  AND n.valid_until > :now
ORDER BY n.joined_at, n.id;

-- name: listen
-- in no statement: SQLite cannot tell another process

-- name: unlisten
-- in no statement

-- name: notify
-- in no statement
