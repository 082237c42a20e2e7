import { CLIENT_VIEWS } from '@floorcast/server/platform/database/client-views.ts'
import { asSuperuser } from './test-database.ts'

/*
 * A schema as lines, for a comparison of two databases: one for each relation, column, constraint, index, policy, trigger,
 * function, sequence and comment, with owners and rights. Names of indexes and validity of constraints in a day partition
 * depend on the release that made it, so a partition has its columns, its rights and the definitions of its indexes.
 */

/** Rights as text, in an order of their own: PostgreSQL keeps them in the order in which they were given. */
const acl = (rights: string) =>
  `array(select format('%s by %s: %s%s', case grantee when 0 then 'public' else grantee::regrole::text end,
      grantor::regrole, privilege_type, case when is_grantable then ' *' end) from aclexplode(${rights}) order by 1)`

const CATALOG = `
  with ours as (select oid, nspname from pg_namespace where nspname in ('public', '${CLIENT_VIEWS}')),
  relations as (
    select c.*, nspname || '.' || relname as name from pg_class c join ours on ours.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'f', 'S') and not relispartition),
  partitions as (
    select c.*, relname as name from pg_class c join ours on ours.oid = relnamespace where relispartition and relkind = 'r'),
  facts as (
    select 'schema' as kind, nspname as name, array[nspowner::regrole::text, ${acl('nspacl')}::text] as facts
      from pg_namespace join ours using (oid, nspname)
    union all
    select 'extension', extname, array[extversion] from pg_extension
    union all
    select 'default rights', defaclrole::regrole || ' ' || defaclobjtype::text, array[${acl('defaclacl')}::text] from pg_default_acl
    union all
    select 'relation', name, array[relkind::text, relpersistence::text, relowner::regrole::text, relrowsecurity::text,
        relforcerowsecurity::text, relreplident::text, relam::text, reloptions::text, pg_get_partkeydef(oid), ${acl('relacl')}::text]
      from relations
    union all
    select 'partition', name, array[relowner::regrole::text, relrowsecurity::text, relforcerowsecurity::text, reloptions::text,
        pg_get_expr(relpartbound, oid), ${acl('relacl')}::text, array(
          select regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+', 'INDEX') || indisvalid
          from pg_index where indrelid = p.oid order by 1)::text]
      from partitions p
    union all
    select 'column', t.name || '.' || attname, array[
        row_number() over (partition by t.oid order by attnum)::text, format_type(atttypid, atttypmod), attcollation::text,
        attnotnull::text, attidentity::text, attgenerated::text, pg_get_expr(adbin, adrelid), attstorage::text,
        attcompression::text, nullif(attstattarget, -1)::text, attoptions::text, ${acl('attacl')}::text]
      from (select oid, name from relations union all select oid, name from partitions) t
      join pg_attribute a on attrelid = t.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all
    select 'constraint', t.name || '.' || conname, array[contype::text, pg_get_constraintdef(k.oid), convalidated::text]
      from pg_constraint k join relations t on t.oid = conrelid
    union all
    select 'index', t.name || '.' || x.relname, array[pg_get_indexdef(indexrelid), indisvalid::text, indisready::text,
        indisclustered::text, indisreplident::text, x.relowner::regrole::text]
      from pg_index join relations t on t.oid = indrelid join pg_class x on x.oid = indexrelid
    union all
    select 'policy', t.name || '.' || polname, array[polcmd::text, polpermissive::text,
        array(select roleid::regrole::text from unnest(polroles) r (roleid) order by 1)::text,
        pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)]
      from pg_policy join relations t on t.oid = polrelid
    union all
    select 'trigger', t.name || '.' || tgname, array[pg_get_triggerdef(g.oid), tgenabled::text]
      from pg_trigger g join relations t on t.oid = tgrelid where not tgisinternal
    union all
    select 'rule', tablename || '.' || rulename, array[definition] from pg_rules join ours on nspname = schemaname
    union all
    select 'view', t.name, array[pg_get_viewdef(oid)] from relations t where relkind in ('v', 'm')
    union all
    select 'sequence', t.name, array[to_jsonb(s)::text, (
        select pg_describe_object(refclassid, refobjid, refobjsubid) from pg_depend
        where classid = 'pg_class'::regclass and objid = t.oid and deptype in ('a', 'i'))]
      from relations t join lateral (
        select seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle
        from pg_sequence where seqrelid = t.oid) s on true
    union all
    select 'function', p.oid::regprocedure::text, array[pg_get_functiondef(p.oid), proowner::regrole::text, ${acl('proacl')}::text]
      from pg_proc p join ours on ours.oid = pronamespace where prokind in ('f', 'p')
    union all
    select 'type', typname, array[typtype::text, typowner::regrole::text, ${acl('typacl')}::text]
      from pg_type join ours on ours.oid = typnamespace where typtype not in ('b', 'c')
    union all
    select 'statistics', stxname, array[pg_get_statisticsobjdef(s.oid)]
      from pg_statistic_ext s join ours on ours.oid = stxnamespace
    union all
    select 'comment', pg_describe_object(classoid, objoid, objsubid), array[description]
      from pg_description where objoid >= 16384
  )
  select kind || ' ' || name || ': ' || array_to_string(facts, ' | ', '-') as line from facts order by 1`

/** The lines of a database's schema, in their order. */
export const readCatalog = (superuserUrl: string): Promise<string[]> =>
  asSuperuser(superuserUrl, async superuser => {
    // Names are then the same text, whatever schema stands first.
    await superuser.query("set search_path = ''")
    const { rows } = await superuser.query<{ line: string }>(CATALOG)
    return rows.map(({ line }) => line)
  })
