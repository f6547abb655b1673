-- Makes a standby the primary, which then works alone. Before: the old primary must be off, and stay so. Afterwards, when it
-- is back as a standby: together.sql
alter system set synchronous_standby_names = '';
select pg_reload_conf();
select pg_promote();
-- pg_rewind reads from it that there was a promotion.
checkpoint;
