#!/bin/sh
# Writes the file .env beside compose.yaml: a host, and new passwords and a new secret. Keeps a file that is there.
#   deploy/compose/settings.sh fahrplan.school.example
set -eu
umask 077
folder=$(dirname -- "$(readlink -f -- "$0")")
host=${1-}
if ! printf %s "$host" | grep -Eqx '[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+'; then
  echo 'settings: name the host that browsers see, in small letters: settings.sh fahrplan.school.example' >&2
  exit 1
fi
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$folder/../../package.json")
if [ -e "$folder/.env" ]; then
  sed "s/^FAHRPLAN_VERSION=.*/FAHRPLAN_VERSION=$version/; s/^FAHRPLAN_HOST=.*/FAHRPLAN_HOST=$host/" "$folder/.env" >"$folder/.env.new"
else
  secret() { head -c 36 /dev/urandom | base64 | tr '+/' '-_'; }
  printf 'FAHRPLAN_HOST=%s\nFAHRPLAN_VERSION=%s\nPOSTGRES_PASSWORD=%s\nOWNER_PASSWORD=%s\nAPP_PASSWORD=%s\nJWT_SECRET=%s\n' \
    "$host" "$version" "$(secret)" "$(secret)" "$(secret)" "$(secret)" >"$folder/.env.new"
fi
mv "$folder/.env.new" "$folder/.env"
echo "Wrote $folder/.env for $host and $version."
