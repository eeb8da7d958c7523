-- name: join

-- name: lock

-- name: renew

-- name: leave

-- name: bury

-- name: forget

-- name: alive

-- name: listen
-- not here: one process has the file, and wakes its own listeners

-- name: unlisten
-- not here: one process has the file, and wakes its own listeners

-- name: notify
-- not here: one process has the file, and wakes its own listeners
