-- name: insert

-- name: of_task

-- name: delays

-- name: purge

