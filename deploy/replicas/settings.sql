-- What a connection of the service asks for, for the service behind pgbouncer: timeouts, plans by index, times as ISO 8601 spells them. Only for the service's role: a migration may
-- take longer. Each role may do this for itself: psql postgres://fahrplan_app:…@db/fahrplan -f settings.sql
alter role current_user set lock_timeout = '2s';
alter role current_user set statement_timeout = '4s';
alter role current_user set idle_in_transaction_session_timeout = '10s';
alter role current_user set plan_cache_mode = 'force_generic_plan';
alter role current_user set enable_seqscan = 'off';
alter role current_user set jit = 'off';
alter role current_user set DateStyle = 'ISO, MDY';
