#!/bin/sh
# Puts a dump of backup.sh in the place of the database, as root. The replaced one stays as fahrplan_replaced until the next time. Erases again
# whom the list beside the dump names, runs the doctor, and leaves the service stopped:
#   /opt/fahrplan-0.1.0/deploy/restore.sh /var/lib/fahrplan/backups/fahrplan-20261201T023000Z.dump
# The release that this file is in must be the one that made the dump, or a later one.
set -eu

fail() {
  printf 'restore: %s\n' "$1" >&2
  exit 1
}

release=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
dump=${1-}
[ -f "$dump" ] || fail 'name the dump: deploy/restore.sh FILE'
[ "$(id -u)" = 0 ] || fail 'only root may do this'
dump=$(readlink -f -- "$dump")
list=$(dirname -- "$dump")/erasures.txt
cd /
as_postgres() { runuser -u postgres -- env PGOPTIONS='-c client_min_messages=warning' "$@"; }
as_postgres pg_restore --list <"$dump" >/dev/null || fail "$dump cannot be read"

systemctl stop fahrplan
# Under another name first: a dump that fails leaves the present database where it is.
as_postgres dropdb --if-exists --force fahrplan_restored
as_postgres createdb --owner=fahrplan_owner fahrplan_restored
as_postgres pg_restore --exit-on-error --dbname=fahrplan_restored <"$dump" || fail 'the database is as it was'
as_postgres dropdb --if-exists --force fahrplan_replaced
as_postgres psql -qX -v ON_ERROR_STOP=1 postgres <<SQL
select pg_terminate_backend(pid) from pg_stat_activity where datname = 'fahrplan' \g /dev/null
begin;
alter database fahrplan rename to fahrplan_replaced;
alter database fahrplan_restored rename to fahrplan;
commit;
SQL

fahrplan() { runuser -u fahrplan -- "$release/bin/fahrplan" "$@"; }
code=0
if [ -s "$list" ]; then
  cp "$list" /run/fahrplan-erasures.txt
  chown fahrplan /run/fahrplan-erasures.txt
  fahrplan student erase-again --in /run/fahrplan-erasures.txt || code=$?
  rm /run/fahrplan-erasures.txt
fi
fahrplan doctor || code=$?
echo "Restored $dump. The service is stopped: systemctl start fahrplan, or deploy/setup.sh of the release that shall run."
exit "$code"
