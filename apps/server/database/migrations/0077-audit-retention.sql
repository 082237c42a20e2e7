-- Entries older than AUDIT_DAYS are deleted by the daily maintenance. Nothing else deletes or changes an entry.
grant delete on audit_entries to floorcast_jobs;
