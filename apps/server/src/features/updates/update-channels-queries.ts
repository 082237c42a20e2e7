import type { ChannelRow, ChannelState } from '@floorcast/contract/update-channels.ts'
import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type ListPage, type ListRequest, readPage } from '../../platform/database/list.ts'

export interface ChannelList extends ListRequest {
  state?: ChannelState | undefined
}

export type ChannelRecord = Omit<ChannelRow, 'permissions'>

const COLUMNS = sql`
  c.uid, c.name, c.description, c.state, c.changed_at, c.version,
  coalesce((
    select jsonb_agg(jsonb_build_object('uid', g.uid, 'name', g.name) order by lower(g.name), g.uid)
    from update_channel_groups cg join groups g on g.uid = cg.group_uid
    where cg.channel_uid = c.uid and g.deleted_at is null), '[]') as groups,
  (select count(*) from devices d join update_channel_groups cg on cg.group_uid = d.group_uid
    where cg.channel_uid = c.uid and d.deleted_at is null) as device_count,
  coalesce((
    select jsonb_agg(jsonb_build_object('uid', p.uid, 'name', p.name) order by lower(p.name), p.uid)
    from deploy_packages dp join update_packages p on p.uid = dp.package_uid where dp.channel_uid = c.uid), '[]')
    as packages`

export function listChannelRecords(reads: Reads, list: ChannelList): Promise<ListPage<ChannelRecord>> {
  return readPage<ChannelRecord>(reads, list, {
    columns: COLUMNS,
    from: sql`from update_channels c`,
    where: list.state ? sql`c.state = ${list.state}` : sql`true`,
    searched: [sql`c.name`, sql`c.description`],
    sorts: { name: sql`lower(c.name)`, state: sql`c.state`, changedAt: sql`c.changed_at` },
    newest: sql`c.changed_at`,
    uid: sql`c.uid`,
  })
}

export interface ChannelFields {
  uid: string
  name: string
  description: string
  state: ChannelState
  version: number
}

/** The channel, locked until the transaction ends: against every other use, or (`share`) against its change alone. */
export function lockChannel(
  writes: Writes,
  uid: string,
  lock: 'update' | 'share' = 'update',
): Promise<ChannelFields | undefined> {
  const row = writes
    .selectFrom('updateChannels')
    .select(['uid', 'name', 'description', 'state', 'version'])
    .where('uid', '=', uid)
  return (lock === 'update' ? row.forUpdate() : row.forShare()).executeTakeFirst()
}

/** Holds channels against change until the transaction ends, in one order everywhere. */
export async function shareChannels(writes: Writes, uids: readonly string[]): Promise<void> {
  await sql`select uid from update_channels where uid = any(${uids}::uuid[]) order by uid for share`.execute(
    writes,
  )
}

export interface NewChannel {
  uid: string
  clientId: string
  name: string
  description: string
  at: Date
}

export async function insertChannel(writes: Writes, { at, ...fields }: NewChannel): Promise<void> {
  await writes
    .insertInto('updateChannels')
    .values({ ...fields, createdAt: at, changedAt: at })
    .execute()
}

export async function updateChannel(
  writes: Writes,
  uid: string,
  { at, ...change }: { name?: string; description?: string; state?: ChannelState; at: Date },
): Promise<void> {
  await writes
    .updateTable('updateChannels')
    .set(eb => ({ ...change, changedAt: at, version: eb('version', '+', 1) }))
    .where('uid', '=', uid)
    .execute()
}

export async function removeChannel(writes: Writes, uid: string): Promise<void> {
  await writes.deleteFrom('updateChannels').where('uid', '=', uid).execute()
}

/** The groups of channels, each once. */
export async function findGroupsOf(reads: Reads, channelUids: readonly string[]): Promise<string[]> {
  const rows = await reads
    .selectFrom('updateChannelGroups')
    .select('groupUid')
    .distinct()
    .where('channelUid', '=', sql<string>`any(${channelUids}::uuid[])`)
    .orderBy('groupUid')
    .execute()
  return rows.map(row => row.groupUid)
}

export async function replaceGroups(
  writes: Writes,
  channel: { uid: string; clientId: string },
  groupUids: readonly string[],
): Promise<void> {
  await writes.deleteFrom('updateChannelGroups').where('channelUid', '=', channel.uid).execute()
  await sql`
    insert into update_channel_groups (channel_uid, group_uid, client_id)
    select ${channel.uid}::uuid, uid, ${channel.clientId}::uuid from unnest(${groupUids}::uuid[]) as x(uid)
  `.execute(writes)
}

/** The packages that deploy packages put on a channel, with their versions. */
export async function findPackagesOn(reads: Reads, channelUid: string): Promise<string[]> {
  const rows = await reads
    .selectFrom('deployPackages as d')
    .innerJoin('updatePackages as p', 'p.uid', 'd.packageUid')
    .where('d.channelUid', '=', channelUid)
    .select(['p.name', 'p.version'])
    .orderBy('p.name')
    .orderBy('d.uid')
    .execute()
  return rows.map(({ name, version }) => `${name} ${version}`)
}
