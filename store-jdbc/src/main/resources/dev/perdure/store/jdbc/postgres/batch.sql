-- name: insert
-- in task_state.insert

-- name: purge
-- in task_state.purge
