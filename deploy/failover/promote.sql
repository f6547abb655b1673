-- Makes a standby the primary, which then works alone: psql -f promote.sql
-- First make sure that the old primary is off, and stays so. When it is back, as a standby:
-- alter system reset synchronous_standby_names; select pg_reload_conf();
alter system set synchronous_standby_names = '';
select pg_reload_conf();
select pg_promote();
