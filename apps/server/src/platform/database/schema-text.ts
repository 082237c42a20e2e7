import { Client } from 'pg'

/*
 * The schema as text, by catalog queries: the embedded PostgreSQL has no pg_dump, and an older pg_dump refuses a newer
 * server. The text is read and compared, so its order is stable and it has no day partitions.
 */

const TABLES = `
  select format(E'create table %I (\n%s\n)%s%s;', c.relname,
    (select string_agg('  ' || line, E',\n' order by nr, line) from (
      select a.attnum::int as nr, concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
        case when l.collname <> 'default' then format('collate %I', l.collname) end,
        case when a.attidentity = 'a' then 'generated always as identity'
             when a.attgenerated = 's' then format('generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
             when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end,
        case when a.attnotnull then 'not null' end) as line
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        left join pg_collation l on l.oid = a.attcollation
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      union all
      select 100000, format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid))
      from pg_constraint k where k.conrelid = c.oid and k.contype <> 'n') lines),
    case when c.relkind = 'p' then ' partition by ' || pg_get_partkeydef(c.oid) else '' end,
    case when c.reloptions is null then '' else format(' with (%s)', array_to_string(c.reloptions, ', ')) end)
    || case when c.relrowsecurity then format(E'\nalter table %I enable row level security;', c.relname) else '' end
    || case when c.relforcerowsecurity then format(E'\nalter table %I force row level security;', c.relname) else '' end
    || coalesce((select string_agg(E'\n' || pg_get_indexdef(i.indexrelid) || ';', '' order by i.indexrelid::regclass::text)
        from pg_index i where i.indrelid = c.oid
          and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))), '')
    || coalesce((select string_agg(format(E'\ncreate policy %I on %I for %s to %s%s%s;', p.policyname, c.relname,
          lower(p.cmd), array_to_string(p.roles, ', '),
          coalesce(E'\n  using (' || p.qual || ')', ''), coalesce(E'\n  with check (' || p.with_check || ')', '')), ''
          order by p.policyname)
        from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname), '')
    || coalesce((select string_agg(format(E'\ngrant %s on %I to %s;', what, c.relname, who), '' order by who, what)
        from (
          select string_agg(lower(g.privilege_type), ', ' order by g.privilege_type) as what, g.grantee::regrole::text as who
          from aclexplode(c.relacl) g where g.grantee <> c.relowner group by g.grantee
          union all
          select format('%s (%s)', lower(g.privilege_type), string_agg(quote_ident(a.attname), ', ' order by a.attname)),
                 g.grantee::regrole::text
          from pg_attribute a, aclexplode(a.attacl) g where a.attrelid = c.oid group by g.grantee, g.privilege_type) grants), '')
    as text
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`

const VIEWS = `
  select format(E'create view %I%s as\n%s', c.relname,
    case when c.reloptions is null then '' else format(' with (%s)', array_to_string(c.reloptions, ', ')) end,
    pg_get_viewdef(c.oid)) as text
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm') order by c.relname`

const FUNCTIONS = `
  select rtrim(pg_get_functiondef(p.oid)) || ';'
    || case when p.proowner = current_user::regrole then ''
       else format(E'\nalter function %s owner to %s;', p.oid::regprocedure, p.proowner::regrole) end
    || coalesce((select string_agg(format(E'\ngrant execute on function %s to %s;', p.oid::regprocedure,
          case when g.grantee = 0 then 'public' else g.grantee::regrole::text end), '' order by g.grantee::regrole::text)
        from aclexplode(p.proacl) g where g.grantee <> p.proowner), '')
    as text
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by p.oid::regprocedure::text`

const TRIGGERS = `
  select pg_get_triggerdef(t.oid) || ';' as text
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and c.relnamespace = 'public'::regnamespace
  order by c.relname, t.tgname`

const EXTENSIONS = `
  select format('create extension %I;', extname) as text from pg_extension where extname <> 'plpgsql' order by 1`

const HEAD = '-- The schema after every migration, written by `npm run schema`. To read, not to run.'

/** The whole schema of a migrated database as text that ends with a line break. */
export async function schemaText(url: string): Promise<string> {
  const owner = new Client({ connectionString: url })
  await owner.connect()
  try {
    const parts = [HEAD]
    for (const query of [EXTENSIONS, TABLES, VIEWS, FUNCTIONS, TRIGGERS])
      parts.push(...(await owner.query<{ text: string }>(query)).rows.map(row => row.text))
    return `${parts.join('\n\n')}\n`
  } finally {
    await owner.end()
  }
}
