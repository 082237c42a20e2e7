import { asSuperuser, cloneDatabase } from '@floorcast/testing/test-database.ts'
import { expect, it } from 'vitest'
import { requireRights } from './rights.ts'

it('finds nothing to say of a new database', async () => {
  expect(await requireRights((await cloneDatabase()).url)).toEqual([])
})

it('names what somebody has added, and leaves alone what is not for our roles', async () => {
  const { url, superuserUrl } = await cloneDatabase()
  await asSuperuser(superuserUrl, superuser =>
    superuser.query(`
      create policy wide on devices for select to floorcast_app using (true);
      grant delete on audit_entries to floorcast_app;
      create table theirs (a int); grant select on theirs to public`),
  )
  expect(await requireRights(url)).toEqual([
    'grant delete on audit_entries to floorcast_app',
    'policy wide on devices for r to {floorcast_app} using true check -',
  ])
})

it('lets the role of backups read each table and partition, and do nothing else', async () => {
  const { superuserUrl } = await cloneDatabase()
  await asSuperuser(superuserUrl, async superuser => {
    const { rows } = await superuser.query<{ name: string; may: string[] }>(`
      select relname as name, array(select lower(privilege)
        from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) privilege
        where has_table_privilege('floorcast_backup', c.oid, privilege)) as may
      from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)
    expect(rows.length).toBeGreaterThan(90)
    expect(rows.filter(({ may }) => may.join() !== 'select')).toEqual([])
    const { rows: functions } = await superuser.query<{ name: string }>(`
      select proname as name from pg_proc
      where pronamespace = 'public'::regnamespace and prosecdef and has_function_privilege('floorcast_backup', oid, 'execute')`)
    expect(functions).toEqual([])
  })
})

it.each([
  ['a policy is gone', 'drop policy one_client on devices', 'policy one_client on devices'],
  [
    'a table shows its owner all rows',
    'alter table devices no force row level security',
    'row security of devices, also for its owner',
  ],
  [
    'a table has no row-level security',
    'alter table devices disable row level security',
    'row security of devices',
  ],
  [
    'a right is gone',
    'revoke select on devices from floorcast_jobs',
    'grant select on devices to floorcast_jobs',
  ],
  [
    'a right to a column is gone',
    'revoke update (name) on clients from floorcast_app',
    'grant update on clients.name to floorcast_app',
  ],
  [
    'a function runs with the rights of somebody else',
    'alter function auth_use_link owner to floorcast',
    'grant execute on auth_use_link(bytea,text,timestamp with time zone) to floorcast_definer',
  ],
])('refuses a database in which %s, by name', async (_, change, named) => {
  const { url, superuserUrl } = await cloneDatabase()
  await asSuperuser(superuserUrl, superuser => superuser.query(change))
  await expect(requireRights(url)).rejects.toThrow(`such as '${named}`)
  await expect(requireRights(url)).rejects.toThrow(/docs\/operate\/backup\.md/)
})
