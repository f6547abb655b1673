-- Lets a primary acknowledge what it alone has, while its standby is away. Afterwards: together.sql
alter system set synchronous_standby_names = '';
select pg_reload_conf();
