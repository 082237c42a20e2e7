import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { DATABASE_ROLES } from './roles.ts'

/*
 * Who may do what in the schema, as lines that two databases can be compared by: row-level security and its policies, owners, the
 * rights of Floorcast's roles and of everyone, and whose rights functions run with. A restore by other means loses them without an error
 * when the roles were not there before: docs/decisions/0322. Partitions come and go, and are not among them.
 */

/** The user who signs in has another name in each installation. Others' rights are the operator's business. */
const WHO = (oid: string) =>
  `case when ${oid} = 0 then 'everyone' when ${oid} = current_database_owner then 'owner' else ${oid}::regrole::text end`

const OURS = DATABASE_ROLES.map(role => `'${role}'`).join(', ')

const grants = (acl: string, what: string) => `
  select format('grant %s on %s to %s', lower(privilege_type), ${what}, ${WHO('grantee')}) as line
  from aclexplode(${acl}) where grantee = 0 or grantee in (select oid from pg_roles where rolname in (${OURS}))`

const RIGHTS = `
  with us as (select relowner as current_database_owner from pg_class where oid = 'public.clients'::regclass),
  relations as (
    select c.*, relname::text as name from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S') and not relispartition),
  functions as (
    select p.*, regexp_replace(p.oid::regprocedure::text, '^public\\.', '') as name from pg_proc p where pronamespace = 'public'::regnamespace)
  select line from us, lateral (
    select format('owner of %s: %s', name, ${WHO('relowner')}) as line from relations
    union all
    select format('row security of %s%s', name, case when relforcerowsecurity then ', also for its owner' end) from relations where relrowsecurity
    union all
    select format('policy %s on %s for %s to %s using %s check %s', polname, name, polcmd,
      array(select rolname::text from pg_roles where oid = any(polroles) order by 1)::text,
      coalesce(pg_get_expr(polqual, polrelid), '-'), coalesce(pg_get_expr(polwithcheck, polrelid), '-'))
    from pg_policy join relations r on r.oid = polrelid
    union all
    select g.line from relations, lateral (${grants('relacl', 'name')}) g
    union all
    select g.line from relations r join pg_attribute a on attrelid = r.oid and attacl is not null,
      lateral (${grants('attacl', `name || '.' || attname`)}) g
    union all
    select format('owner of %s: %s%s', name, ${WHO('proowner')}, case when prosecdef then ', whose rights it runs with' end) from functions
    union all
    select g.line from functions, lateral (${grants(`coalesce(proacl, acldefault('f', proowner))`, 'name')}) g
  ) lines order by line collate "C"`

/** The lines of the schema `public`, in their order. */
export async function readRights(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(RIGHTS)
  return rows.map(({ line }) => line)
}

/** The lines of a new database of this version; `npm run schema` writes them. */
export const RIGHTS_FILE = new URL('../../../database/rights.txt', import.meta.url)

/** What gives Floorcast's roles rows or rights. Others' objects, such as an extension's, are the operator's business. */
const GIVES = /^policy | to floorcast_\w+$/

/**
 * Compares a migrated database with this version's schema. @returns the policies and rights that the schema does not have, and somebody has
 * added @throws Error that says what to do if it lacks policies, owners or rights, as one that was restored before the roles were there
 */
export async function requireRights(url: string): Promise<string[]> {
  const wanted = readFileSync(RIGHTS_FILE, 'utf8').trimEnd().split('\n')
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const lines = await readRights(client)
    const [has, known] = [new Set(lines), new Set(wanted)]
    const lacks = wanted.filter(line => !has.has(line))
    if (lacks.length === 0) return lines.filter(line => !known.has(line) && GIVES.test(line))
    throw new Error(
      `The database lacks ${lacks.length} of the ${wanted.length} policies, owners and rights of its tables, such as '${lacks[0]}'. Was it restored before Floorcast's roles were there? Restore it once more into an empty database, roles first: docs/operate/backup.md has the steps. Do not grant rights by hand: the rows of one client might be shown to others`,
    )
  } finally {
    await client.end()
  }
}
