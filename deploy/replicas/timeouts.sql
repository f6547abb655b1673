-- The server's part of the service's timeouts, for the service behind pgbouncer. Only for the service's role: a migration may
-- take longer. Each role may do this for itself: psql postgres://fahrplan_app:…@db/fahrplan -f timeouts.sql
alter role current_user set lock_timeout = '2s';
alter role current_user set statement_timeout = '4s';
alter role current_user set idle_in_transaction_session_timeout = '10s';
