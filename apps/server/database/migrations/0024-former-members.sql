-- A group that comes out of the recycle bin takes back the devices it had, those that are in no group since.

alter table groups add column former_members uuid[] not null default '{}';
