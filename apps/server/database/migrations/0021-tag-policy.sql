-- How a device's tags combine with its group's and the client's, where it says so itself; null: as the client does.
alter table devices add column tag_policy text check (tag_policy in ('device', 'group', 'client'));
