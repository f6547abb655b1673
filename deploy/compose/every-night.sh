#!/bin/sh
# Makes a backup and a drill at the start, then a backup every night at 02:30 UTC and a drill on Sundays. The file `drilled` beside the dumps is
# that of the last drill that succeeded: one that fails removes it.
set -u
deploy=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
drill() {
  if "$deploy/drill.sh"; then touch "$BACKUP_DIR/drilled"; else rm -f "$BACKUP_DIR/drilled"; fi
}
"$deploy/backup.sh" && drill
while :; do
  now=$(date -u +%s)
  next=$((now - now % 86400 + 9000))
  [ "$next" -gt "$now" ] || next=$((next + 86400))
  sleep $((next - now))
  "$deploy/backup.sh"
  if [ "$(date -u +%u)" = 7 ]; then drill; fi
done
