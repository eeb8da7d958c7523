-- name: add
INSERT INTO perdure_session (hash, key_id, created_at, used_at, expires_at, ends_at)
SELECT
  :hash, :key_id, clock.now, clock.now,
  clock.now + CAST(:idle_ms AS bigint) * INTERVAL '1 millisecond',
  clock.now + CAST(:max_ms AS bigint) * INTERVAL '1 millisecond'
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
ON CONFLICT DO NOTHING;

-- name: trim
-- Skips rows that another node deletes at the same moment.
DELETE FROM perdure_session
WHERE hash IN (
  SELECT s.hash
  FROM perdure_session s
  WHERE s.expires_at <= COALESCE(CAST(:now AS timestamptz), clock_timestamp())
    OR (s.key_id = :key_id
      AND s.used_at < (
        SELECT newer.used_at
        FROM perdure_session newer
        WHERE newer.key_id = :key_id
        ORDER BY newer.used_at DESC
        LIMIT 1 OFFSET :max_sessions - 1))
  LIMIT 1000
  FOR UPDATE SKIP LOCKED);

-- name: find
SELECT
  k.id AS key_id, k.name, k.roles,
  LEAST(s.expires_at, k.expires_at) AS expires_at,
  s.used_at > clock.now - INTERVAL '1 minute' AS recently_used
FROM perdure_session s
JOIN perdure_api_key k ON k.id = s.key_id
CROSS JOIN (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
WHERE s.hash = :hash
  AND s.expires_at > clock.now
  AND k.revoked_at IS NULL
  AND (k.expires_at IS NULL OR k.expires_at > clock.now);

-- name: record_use
UPDATE perdure_session s
SET used_at = clock.now,
    expires_at = LEAST(clock.now + CAST(:idle_ms AS bigint) * INTERVAL '1 millisecond', s.ends_at)
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
WHERE s.hash = :hash
  AND s.expires_at > clock.now;

-- name: delete
DELETE FROM perdure_session
WHERE hash = :hash;
