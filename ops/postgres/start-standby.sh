#!/bin/sh
# Copies the primary (PRIMARY, STANDBY_PASSWORD) into PGDATA while that is empty, and then runs what its arguments say, which follows it.
# ops/compose/several-servers.yaml begins the image of PostgreSQL with it.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install --directory --mode=700 "$PGDATA"
  PGPASSWORD="$STANDBY_PASSWORD" pg_basebackup --host="$PRIMARY" --username=standby --pgdata="$PGDATA" --checkpoint=fast --write-recovery-conf
fi
exec "$@"
