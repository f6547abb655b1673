-- Lets a primary acknowledge what it alone has, while its standby is away: psql -f alone.sql
-- When the standby is back: alter system reset synchronous_standby_names; select pg_reload_conf();
alter system set synchronous_standby_names = '';
select pg_reload_conf();
