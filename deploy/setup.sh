#!/bin/sh
# Lets the release that this file is in serve a host name over HTTPS, on a Debian server with PostgreSQL and Caddy. As root:
#   /opt/fahrplan-0.1.0/deploy/setup.sh fahrplan.school.example
# Asks for nothing, and keeps settings, roles and data that are there: the same command of another release changes to that release.
set -eu

fail() {
  printf 'setup: %s\n' "$1" >&2
  exit 1
}

release=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
host=${1-}
printf %s "$host" | grep -Eqx '[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+' ||
  fail 'name the host that browsers see, in small letters: deploy/setup.sh fahrplan.school.example'
[ "$(id -u)" = 0 ] || fail 'only root may do this'
for program in psql caddy ss runuser systemctl; do
  command -v "$program" >/dev/null || fail "$program is missing: apt-get install postgresql caddy iproute2"
done
[ -x "$release/node_modules/.bin/node" ] || fail "$release has no Node: use the release's tarball"

# Ports of others, before anything is changed.
settings=/etc/fahrplan.env
port=8080
[ ! -e "$settings" ] || port=$(sed -n 's/^PORT=//p' "$settings" | tail -1)
port=${port:-8080}
for one in "$port:fahrplan" 80:caddy 443:caddy; do
  own=$(systemctl show --property MainPID --value "${one#*:}" 2>/dev/null || true)
  others=$(ss -Hltnp "sport = :${one%:*}" | grep -v "pid=${own:-0}," || true)
  [ -z "$others" ] || fail "port ${one%:*} is taken: $(printf %s "$others" | sed 's/.*users:((//; s/,fd.*//')"
done
postgres() {
  runuser -u postgres -- psql -qAtX -v ON_ERROR_STOP=1 "$@"
}
cd /
postgres -c 'select 1' >/dev/null || fail 'PostgreSQL does not answer: systemctl status postgresql'

id fahrplan >/dev/null 2>&1 ||
  useradd --system --home-dir /var/lib/fahrplan --shell /usr/sbin/nologin fahrplan

if [ ! -e "$settings" ]; then
  [ -z "$(postgres -c "select 1 from pg_database where datname = 'fahrplan'")" ] ||
    fail "there is a database fahrplan, and no $settings that has its passwords: fill deploy/fahrplan.env and copy it there"
  secret() { head -c 36 /dev/urandom | base64 | tr '+/' '-_'; }
  owner=$(secret) app=$(secret)
  # By standard input: the arguments of programs can be read by all users.
  postgres <<SQL
create role fahrplan_owner login;
create role fahrplan_app login;
alter role fahrplan_owner password '$owner';
alter role fahrplan_app password '$app';
create database fahrplan owner fahrplan_owner;
SQL
  umask 027
  sed -e "s|^JWT_SECRET=.*|JWT_SECRET=$(secret)|" \
    -e "s|fahrplan_app:PASSWORD|fahrplan_app:$app|; s|fahrplan_owner:PASSWORD|fahrplan_owner:$owner|" \
    -e "s|^PUBLIC_URL=.*|PUBLIC_URL=https://$host|" "$release/deploy/fahrplan.env" >"$settings.new"
  chgrp fahrplan "$settings.new"
  mv "$settings.new" "$settings"
  umask 022
fi

caddy=/etc/caddy/Caddyfile
sed "s|^HOST |$host |; s|127.0.0.1:8080|127.0.0.1:$port|" "$release/deploy/Caddyfile" >/etc/caddy/fahrplan.caddy
# The package's own file serves a page on port 80. That of an administrator stays.
if dpkg-query -W -f '${Conffiles}' caddy | grep -q "$caddy $(md5sum <$caddy | cut -d ' ' -f 1)"; then
  echo 'import fahrplan.caddy' >$caddy
elif ! grep -qx 'import fahrplan.caddy' $caddy; then
  echo 'import fahrplan.caddy' >>$caddy
fi
caddy validate --config $caddy --adapter caddyfile >/dev/null 2>&1 ||
  fail "Caddy refuses its settings: caddy validate --config $caddy --adapter caddyfile"

ln -sfn "$release" /opt/fahrplan
ln -sfn /opt/fahrplan/bin/fahrplan /usr/local/bin/fahrplan
for unit in fahrplan.service fahrplan-backup.service fahrplan-backup.timer fahrplan-drill.service fahrplan-drill.timer; do
  cp "$release/deploy/$unit" /etc/systemd/system/
done
systemctl daemon-reload
systemctl enable --quiet fahrplan fahrplan-backup.timer fahrplan-drill.timer caddy
since=$(date '+%Y-%m-%d %H:%M:%S')
systemctl restart fahrplan || true
systemctl start fahrplan-backup.timer fahrplan-drill.timer
systemctl reload-or-restart caddy

ready() {
  PORT=$port /opt/fahrplan/node_modules/.bin/node -e \
    "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"
}
tries=60
until ready; do
  tries=$((tries - 1))
  # systemd starts it again and again: what fails twice at the start goes on failing.
  if [ "$tries" = 0 ] || [ "$(systemctl show --property NRestarts --value fahrplan)" -ge 2 ]; then
    journalctl -u fahrplan -o cat --since "$since" | grep -Ev '^(fahrplan\.service:|Start|Stop|.*"event":"stopping")' | uniq | tail -5 >&2
    fail 'the service does not start: journalctl -u fahrplan'
  fi
  sleep 1
done
echo "Fahrplan serves https://$host."
journalctl -u fahrplan -o cat --since "$since" | grep '^There is no driving school yet' | tail -1 || true
