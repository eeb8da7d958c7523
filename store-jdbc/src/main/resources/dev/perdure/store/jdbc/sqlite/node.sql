-- name: join

-- name: lock

-- name: renew

-- name: leave

-- name: bury

-- name: forget

-- name: alive

