-- name: insert

-- name: due

-- name: claim

-- name: next_due

-- name: apply

-- name: standing

-- name: sign

-- name: held_by

-- name: orphans

-- name: silent

-- name: past_deadline

-- name: find

-- name: list

-- name: count

-- name: tally

-- name: expired

-- name: purge

