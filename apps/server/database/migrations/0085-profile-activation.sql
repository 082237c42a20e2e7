-- Of two profiles of one type the one that was activated later wins. Until now the one that was added later did.
alter table profiles add column activated_at timestamptz;
-- The owner is bound by row-level security too, and has no client.
alter table profiles no force row level security;
update profiles set activated_at = created_at where active_settings is not null;
alter table profiles force row level security;
alter table profiles add constraint profiles_activated_check check ((activated_at is null) = (active_settings is null));
