import { execFileSync } from 'node:child_process'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { cloneDatabase } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'
import { Client } from 'pg'
import { DROP_CLIENT_VIEWS } from './client-views.ts'
import { findBreakingChanges, readState } from './breaking-changes.ts'
import { BASELINE_THROUGH } from './migrations.ts'

const { url } = await cloneDatabase()
const owner = new Client({ connectionString: url })
await owner.connect()
atTheEnd(() => owner.end())
// As before each migration.
await owner.query(DROP_CLIENT_VIEWS)
/** The database of this release stands for that of the former one. */
const former = await readState(owner)

/** What is said of migrations that follow one another. */
async function find(...migrations: string[]): Promise<string[]> {
  const known = new Set<string>()
  const faults: string[] = []
  await owner.query('begin')
  try {
    for (const sql of migrations)
      faults.push(...(await findBreakingChanges(owner, { sql }, { former, known })))
  } finally {
    await owner.query('rollback')
  }
  return faults
}

test.each([
  ['drops a table', 'drop table saved_views', ['table saved_views is gone']],
  ['renames a table', 'alter table saved_views rename to views', ['table saved_views is gone']],
  [
    'drops a column',
    'alter table media_items drop column publisher',
    ['column media_items.publisher is gone'],
  ],
  [
    'renames a column',
    'alter table media_items rename publisher to house',
    ['column media_items.publisher is gone'],
  ],
  [
    'changes the type of a column',
    'alter table alerts alter column is_drill type text',
    ["column alerts.is_drill was 'boolean' and is 'text'"],
  ],
  [
    'adds a column that needs a value',
    'alter table media_items add column sort text not null',
    ['column media_items.sort needs a value, and the former release gives none'],
  ],
  [
    'takes no null any more',
    'alter table alerts alter column ended_at set not null',
    ['column alerts.ended_at takes no null any more'],
  ],
  [
    'takes a default away',
    'alter table operator_steps alter column tries drop default',
    ['column operator_steps.tries has no default any more'],
  ],
  [
    'adds a check of a known column',
    `alter table media_items add constraint short check (length(name) < 5) not valid`,
    ['constraint media_items.short refuses rows that the former release may write'],
  ],
  [
    'tightens a check',
    `alter table alerts drop constraint alerts_kind_check;
     alter table alerts add constraint alerts_kind_check check (kind = 'air')`,
    [/^constraint alerts\.alerts_kind_check was '.*' and is 'c CHECK \(\(kind = 'air'/],
  ],
  [
    'makes a known column unique',
    'create unique index one_name on media_items (name)',
    ['unique index media_items.one_name refuses rows that the former release may write'],
  ],
  [
    'makes an expression unique',
    'create unique index one_name on media_items (lower(name))',
    ['unique index media_items.one_name refuses rows that the former release may write'],
  ],
  [
    'drops what `on conflict` needs',
    'alter table operators drop constraint operators_email_key',
    ['constraint operators.operators_email_key is gone'],
  ],
  [
    'keeps rows from being deleted',
    'create table notes (uid uuid primary key, media_uid uuid references media_items (uid))',
    ['constraint notes.notes_media_uid_fkey to media_items keeps the former release from deleting rows'],
  ],
  ['drops a function', 'drop function newest_migration', ['function newest_migration() is gone']],
  [
    'gives a function another parameter',
    `drop function newest_migration; create function newest_migration(prefix text) returns text language sql as 'select prefix'`,
    [
      'function newest_migration() is gone',
      'function newest_migration(text) has the name of another one: a call may fit both',
    ],
  ],
  [
    'gives a function another answer',
    `drop function newest_migration; create function newest_migration() returns integer language sql as 'select 1'`,
    [
      /^function newest_migration\(\) was 'f {2}returns text' and is 'f {2}returns integer'$/,
      /^grant execute on newest_migration\(\) to floorcast_app is not there any more/,
      /^grant execute on newest_migration\(\) to floorcast_definer is not there any more/,
      /^owner of newest_migration\(\) is not there any more: .* whose rights it runs with$/,
    ],
  ],
  ['drops a trigger', 'drop trigger limit_rows on devices', ['trigger devices.limit_rows is gone']],
  [
    'drops a policy',
    'drop policy one_client on saved_views',
    [/^policy one_client on saved_views is not there any more: /],
  ],
  [
    'changes a policy',
    'alter policy one_client on saved_views using (false)',
    [/^policy one_client on saved_views is not there any more: /],
  ],
  [
    'adds a restrictive policy',
    'create policy few on saved_views as restrictive using (false)',
    ['restrictive policy saved_views.few hides rows that the former release reads'],
  ],
  [
    'begins row-level security',
    'alter table plans enable row level security',
    ['row security of plans hides rows that the former release reads'],
  ],
  [
    'takes a right away',
    'revoke select on plans from floorcast_app',
    ['grant select on plans to floorcast_app is not there any more: grant select on plans to floorcast_app'],
  ],
])('a migration that %s is refused', async (_, sql, faults) => {
  const said = await find(sql)
  expect(said).toHaveLength(faults.length)
  for (const [index, fault] of faults.entries())
    expect(said[index]).toEqual(typeof fault === 'string' ? fault : (expect.stringMatching(fault) as string))
})

test.each([
  [
    'adds a table',
    'create table extra (a int primary key, clients uuid references clients (uid) on delete cascade)',
  ],
  [
    'adds columns with a default, or without need',
    'alter table media_items add column a int, add column b int not null default 0',
  ],
  ['checks what is new', 'alter table media_items add column a int unique check (a > 0)'],
  ['adds an index', 'create index extra on media_items (name)'],
  ['drops an index', 'drop index operator_audit_at'],
  ['drops a check', 'alter table alerts drop constraint alerts_kind_check'],
  [
    'gives rights and a policy',
    'grant select on saved_views to floorcast_ingest; create policy extra on saved_views for select to floorcast_ingest using (true)',
  ],
  [
    'adds a trigger',
    `create function extra() returns trigger language plpgsql as 'begin return new; end'; create trigger extra before insert on saved_views for each row execute function extra()`,
  ],
  [
    'replaces the body of a function',
    `set local role floorcast_definer; create or replace function newest_migration() returns text language sql stable security definer set search_path = public, pg_temp as 'select max(name) from migrations'; reset role`,
  ],
  ['takes nulls', 'alter table media_items alter column name drop not null'],
])('a migration that %s is let in', async (_, sql) => {
  expect(await find(sql)).toEqual([])
})

test('a migration may take away what an earlier one of the same release has brought', async () => {
  expect(await find('create table extra (a int, b int)', 'alter table extra drop column b')).toEqual([])
})

test('a fault is of the migration that brings it, and of none that follows', async () => {
  expect(await find('drop table saved_views', 'create table extra (a int)')).toEqual([
    'table saved_views is gone',
  ])
})

test('a migration that names what it takes away, and since when nothing uses it, is let in', async () => {
  const sql = 'alter table media_items drop column publisher'
  expect(await find(`-- contracts column media_items.publisher: 2.775.0 read it last\n${sql}`)).toEqual([])
  expect(await find(`-- contracts column media_items.publisher: unused\n${sql}`)).toEqual([
    "'-- contracts column media_items.publisher' needs a reason of some words",
  ])
  expect(await find(`-- contracts column media_items.name: 2.775.0 read it last\n${sql}`)).toEqual([
    'column media_items.publisher is gone',
    "'-- contracts column media_items.name: 2.775.0 read it last' names nothing that it takes away",
  ])
})

test('the baseline is the schema of the newest release, with which migrations are compared', () => {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim().split('\n')
  const [tag = ''] = git('tag', '--list', 'v*', '--sort=-version:refname')
  // A copy without tags has nothing to compare with.
  if (tag === '') return
  const files = git('ls-tree', '--name-only', `${tag}`, 'apps/server/database/migrations/')
  expect(files.at(-1)).toBe(`apps/server/database/migrations/${BASELINE_THROUGH}.sql`)
})
