#!/bin/sh
# Makes the two roles and the database, at the first start of PostgreSQL's image.
set -eu
psql -qX -v ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" <<SQL
create role fahrplan_owner login;
create role fahrplan_app login;
alter role fahrplan_owner password '$OWNER_PASSWORD';
alter role fahrplan_app password '$APP_PASSWORD';
create database fahrplan owner fahrplan_owner;
SQL
