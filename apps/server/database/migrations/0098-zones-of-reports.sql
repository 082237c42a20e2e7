-- Reports read the zones of devices too, and a tag may name a zone that PostgreSQL does not know.
grant execute on function zone_or_utc(text) to floorcast_app;
