#!/bin/sh
# Restores the newest dump of BACKUP_DIR into a PostgreSQL of its own, runs the doctor on it, and removes it. Fails if the dump cannot be
# restored, if the doctor finds anything, or if the dump is older than two days. Needs the programs of PostgreSQL and no rights in it.
set -eu
umask 077

root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
dir=${BACKUP_DIR:-/var/lib/fahrplan/backups}
newest=$(find "$dir" -name 'fahrplan-*.dump' | sort | tail -1)
if [ -z "$newest" ]; then
  echo "drill: there is no dump in $dir: did fahrplan-backup run?" >&2
  exit 1
fi
programs=${PG_BIN:-$(find /usr/lib/postgresql -path '*/bin/initdb' | sort -V | tail -1 | xargs dirname)}
work=$(mktemp -d "${DRILL_DIR:-/var/tmp}/fahrplan-drill.XXXXXX")
# PostgreSQL's server refuses to run as root.
as_server() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}
[ "$(id -u)" != 0 ] || chown postgres "$work"
cd "$work"
end() {
  cd /
  as_server "$programs/pg_ctl" -D "$work/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

as_server "$programs/initdb" -D "$work/data" -U drill -A trust -E UTF8 --locale=C.UTF-8 >"$work/out" 2>&1 ||
  { cat "$work/out" >&2; exit 1; }
# Nobody else can open the folder of its socket, and it listens nowhere else.
as_server "$programs/pg_ctl" -D "$work/data" -l "$work/log" -w start \
  -o "-c listen_addresses='' -c unix_socket_directories='$work' -c dynamic_shared_memory_type=mmap -c fsync=off" >/dev/null ||
  { cat "$work/log" >&2; exit 1; }
export PGHOST="$work" PGUSER=drill
"$programs/createdb" fahrplan
"$programs/pg_restore" --no-owner --no-privileges --exit-on-error --dbname=fahrplan "$newest"
unset MIGRATION_DATABASE_URL
DATABASE_URL="postgres://drill@localhost/fahrplan?host=$work" "$root/bin/fahrplan" doctor
counts=$("$programs/psql" -XAt -d fahrplan -c \
  "select 'schools ' || (select count(*) from tenants) || ', students ' || (select count(*) from students) || ', lessons ' || (select count(*) from appointments)")
if [ -z "$(find "$newest" -mtime -2)" ]; then
  echo "drill: $newest is good, and older than two days: the backups have stopped." >&2
  exit 1
fi
echo "Restored $newest: $counts."
