-- The name says what the number means: transactions below it are pending for this manifest.
alter table device_manifests rename column unsettled_below to pending_below;
