import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import type { Client } from 'pg'
import type { DatabaseRole } from './roles.ts'

/*
 * The second barrier between clients, beside row-level security (docs/decisions/0192): a view of each tenant table shows the
 * rows of the client that is set. The schema of these views is the first one in which the roles below find a table, so a
 * statement that forgets its client reads the view, whether it was built or written by hand.
 *
 * Each version of the tables has a schema of views: servers of the former release go on with theirs, whose columns stay
 * (docs/decisions/0361).
 */

const MIGRATIONS = new URL('../../../database/migrations/', import.meta.url)
const version = createHash('sha256').update(readdirSync(MIGRATIONS).toSorted().join()).digest('hex')
/** The schema of this version's views. */
export const CLIENT_VIEWS = `client_views_${version.slice(0, 8)}`

const ROLES: readonly DatabaseRole[] = ['floorcast_app', 'floorcast_jobs']

/** The schemas in which a role finds tables, as PostgreSQL's `search_path`. */
export const searchPathOf = (role: DatabaseRole) =>
  ROLES.includes(role) ? `${CLIENT_VIEWS},public` : 'public'

const dropViews = (which: string) => `
do $$
declare
  one text;
begin
  for one in select nspname from pg_namespace where nspname ~ '^client_views' ${which} loop
    execute format('drop schema %I cascade', one);
  end loop;
end
$$`

/** Without the views, statements find the tables, which row-level security protects. */
export const DROP_CLIENT_VIEWS = dropViews('')

/** Drops all views but the newest ones of another version. */
export const DROP_OLD_CLIENT_VIEWS = dropViews(`and oid is distinct from
    (select max(oid) from pg_namespace where nspname ~ '^client_views' and nspname <> '${CLIENT_VIEWS}')`)

/** A view has its table's policy as condition, and its caller needs the rights to the table. */
const MAKE_CLIENT_VIEWS = `
do $$
declare
  one record;
begin
  create schema ${CLIENT_VIEWS};
  grant usage on schema ${CLIENT_VIEWS} to ${ROLES.join(', ')};
  for one in
    select tablename, qual from pg_policies where schemaname = 'public' and policyname = 'one_client'
  loop
    execute format(
      'create view ${CLIENT_VIEWS}.%I with (security_invoker = true, check_option = local) as select * from public.%I where %s',
      one.tablename, one.tablename, one.qual);
    execute format('grant select, insert, update, delete on ${CLIENT_VIEWS}.%I to ${ROLES.join(', ')}', one.tablename);
  end loop;
end
$$`

/** Makes the views of all tenant tables if there are none. @throws Error with advice if the user may create no schema */
export async function makeClientViews(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ made: boolean; database: string; user: string }>(
    `select to_regnamespace('${CLIENT_VIEWS}') is not null as made, current_database() as database, current_user as user`,
  )
  const [state] = rows
  if (!state || state.made) return
  try {
    await owner.query(MAKE_CLIENT_VIEWS)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '42501')) throw error
    const grant = `grant create on database "${state.database}" to "${state.user}";`
    throw new Error(
      `DATABASE_URL's user may create no schema. Run this as an administrator of the database, then start again:\n${grant}`,
      { cause: error },
    )
  }
}

/** Asks a table itself, past the views: which client is set, and does row-level security alone keep all rows back from one who is nobody? */
export const ASK_FOR_ISOLATION = sql<{ clientId: string; isActive: boolean; hasRows: boolean }>`
  select current_setting('app.client_id') as client_id, row_security_active('public.devices') as is_active,
    exists (select from public.devices) as has_rows`
