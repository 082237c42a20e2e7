#!/bin/sh
# Makes the database of Floorcast and its owner, who is no superuser and may create Floorcast's roles. compose.yaml gives it to PostgreSQL's image,
# which runs it once, while its volume is empty. On another PostgreSQL run it as an administrator, with DATABASE_PASSWORD set.
set -eu
psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --dbname=postgres --set=password="$DATABASE_PASSWORD" <<'SQL'
create role floorcast login createrole password :'password';
create database floorcast owner floorcast;
SQL
