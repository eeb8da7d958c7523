-- name: exists
SELECT EXISTS (SELECT FROM perdure_api_key) AS found;

-- name: add
INSERT INTO perdure_api_key (id, name, roles, hash, created_at, expires_at)
SELECT
  :id, :name, :roles, :hash, clock.now,
  clock.now + CAST(:validity_ms AS bigint) * INTERVAL '1 millisecond'
FROM (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
ON CONFLICT DO NOTHING;

-- name: find
SELECT
  k.id, k.name, k.roles, k.hash, k.created_at, k.expires_at, k.used_at, k.revoked_at,
  k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock.now) AS active,
  k.used_at IS NOT NULL AND k.used_at > clock.now - INTERVAL '1 minute' AS recently_used
FROM perdure_api_key k
CROSS JOIN (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
WHERE k.id = :id;

-- name: list
SELECT
  k.id, k.name, k.roles, k.hash, k.created_at, k.expires_at, k.used_at, k.revoked_at,
  k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock.now) AS active,
  k.used_at IS NOT NULL AND k.used_at > clock.now - INTERVAL '1 minute' AS recently_used
FROM perdure_api_key k
CROSS JOIN (SELECT COALESCE(CAST(:now AS timestamptz), clock_timestamp()) AS now) clock
ORDER BY k.created_at DESC, k.id
LIMIT :limit;

-- name: record_use
UPDATE perdure_api_key
SET used_at = COALESCE(CAST(:now AS timestamptz), clock_timestamp())
WHERE id = :id;

-- name: revoke
UPDATE perdure_api_key
SET revoked_at = COALESCE(revoked_at, CAST(:now AS timestamptz), clock_timestamp())
WHERE id = :id;
