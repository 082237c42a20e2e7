#!/bin/sh
# Lets a standby copy and follow this PostgreSQL. ops/compose/several-servers.yaml gives it to the primary's image, which runs it once, while
# its volume is empty.
set -eu
psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --dbname=postgres --set=password="$STANDBY_PASSWORD" <<'SQL'
create role standby login replication password :'password';
SQL
echo 'host replication standby all scram-sha-256' >> "$PGDATA/pg_hba.conf"
psql --quiet --no-psqlrc --dbname=postgres --command='select pg_reload_conf()' > /dev/null
