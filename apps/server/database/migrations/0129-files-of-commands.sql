-- How many files a command has brought: a device sends one again if the answer was lost, and no more.
alter table device_outbox add column files smallint not null default 0;
