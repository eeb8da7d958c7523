-- name: insert

-- name: purge

