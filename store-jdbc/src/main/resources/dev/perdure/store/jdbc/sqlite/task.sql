-- name: insert

-- name: strategies

-- name: purge

