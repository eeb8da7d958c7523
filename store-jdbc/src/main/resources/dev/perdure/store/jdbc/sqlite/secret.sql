-- name: add
INSERT INTO perdure_secret (purpose, number, secret, created_at)
VALUES (:purpose, :number, :secret, :now)
ON CONFLICT DO NOTHING;

-- name: list
SELECT s.number, s.secret
FROM perdure_secret s
WHERE s.purpose = :purpose
ORDER BY s.number DESC
LIMIT :limit + 0;
