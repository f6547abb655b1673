-- Lets a primary acknowledge only what its standby has, too, as postgresql.conf says: once the standby is back.
alter system reset synchronous_standby_names;
select pg_reload_conf();
