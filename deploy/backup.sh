#!/bin/sh
# Dumps the database into BACKUP_DIR, adds to the list of erasures there, and removes dumps that are older than BACKUP_DAYS. Reads the
# addresses of the database as the service does. A dump appears under its name once it is complete and on the disk.
set -eu
umask 077

root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
dir=${BACKUP_DIR:-/var/lib/fahrplan/backups}
url=${MIGRATION_DATABASE_URL:-${DATABASE_URL:?names no database: with the embedded one use the command backup}}
mkdir -p "$dir"
file=$dir/fahrplan-$(date -u +%Y%m%dT%H%M%SZ).dump
list=$dir/erasures.txt
trap 'rm -f "$file.part" "$list.part"' EXIT

# By the environment: the arguments of programs can be read by all users.
PGPASSWORD=$(URL=$url "$root/node_modules/.bin/node" -p \
  'decodeURIComponent(/^\w+:\/\/[^:@\/]*:([^@\/]*)@/.exec(process.env.URL)?.[1] ?? "")')
export PGPASSWORD
pg_dump --format=custom --file="$file.part" \
  --dbname="$(printf %s "$url" | sed 's|^\([a-z]*://[^:/@]*\):[^@/]*@|\1@|')"
sync "$file.part"

touch "$list"
"$root/bin/fahrplan" student erasures >"$list.part"
sort -u -o "$list.part" "$list.part" "$list"
mv "$list.part" "$list"

mv "$file.part" "$file"
sync "$dir"
find "$dir" -name 'fahrplan-*.dump' -mtime "+${BACKUP_DAYS:-30}" -delete
echo "Wrote $file, $(wc -c <"$file") bytes."
