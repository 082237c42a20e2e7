import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { addChannel, ChannelState, editChannel } from '@floorcast/contract/update-channels.ts'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type EditedField, type InsertOf, type UpdateOf, pick } from '../../platform/database/columns.ts'
import { type ListColumns, type ListRequest, readPage, referencesTo } from '../../platform/database/list.ts'
import { sortKey } from '../../platform/database/list-source.ts'

export interface ChannelList extends ListRequest {
  state?: ChannelState | undefined
}

const channelColumns = {
  uid: { select: sql<string>`c.uid` },
  name: { select: sql<string>`c.name`, sort: sortKey(sql`c.name`), search: true },
  description: { select: sql<string>`c.description`, search: true },
  state: { select: sql<ChannelState>`c.state`, sort: true },
  groups: {
    select: referencesTo(
      'g',
      sql`from update_channel_groups cg join groups g on g.uid = cg.group_uid
      where cg.channel_uid = c.uid and g.deleted_at is null`,
    ),
  },
  deviceCount: {
    select: sql<number>`(select count(*) from devices d join update_channel_groups cg on cg.group_uid = d.group_uid
      where cg.channel_uid = c.uid and d.deleted_at is null)`,
  },
  packages: {
    select: referencesTo(
      'p',
      sql`from deploy_packages dp join update_packages p on p.uid = dp.package_uid where dp.channel_uid = c.uid`,
    ),
  },
  changedAt: { select: sql<string>`c.changed_at`, sort: true },
  version: { select: sql<number>`c.version` },
} satisfies ListColumns

export const listChannelRows = (reads: Reads, list: ChannelList) =>
  readPage(reads, list, {
    columns: channelColumns,
    from: sql`from update_channels c`,
    where: list.state ? sql`c.state = ${list.state}` : sql`true`,
    newest: sql`c.changed_at`,
  })

export type StoredChannel = Selectable<Tables['updateChannels']>

/** Locks the channel until the transaction ends: exclusively, or against changes (`share`). */
export function lockChannel(
  writes: Writes,
  uid: string,
  lock: 'update' | 'share' = 'update',
): Promise<StoredChannel | undefined> {
  const row = writes.selectFrom('updateChannels').selectAll().where('uid', '=', uid)
  return (lock === 'update' ? row.forUpdate() : row.forShare()).executeTakeFirst()
}

/** Locks channels against changes until the transaction ends, always in the same order. */
export async function shareChannels(writes: Writes, uids: readonly string[]): Promise<void> {
  await sql`select uid from update_channels where uid = any(${uids}::uuid[]) order by uid for share`.execute(
    writes,
  )
}

const newChannel = ['uid', 'clientId', 'name', 'description'] as const
type NewChannel = InsertOf<
  'updateChannels',
  typeof newChannel,
  Exclude<keyof BodyOf<typeof addChannel>, 'groupUids'>
>

export async function insertChannel(writes: Writes, channel: NewChannel, at: Date): Promise<void> {
  await writes
    .insertInto('updateChannels')
    .values({ ...pick(channel, newChannel), createdAt: at, changedAt: at })
    .execute()
}

const channelUpdate = ['name', 'description', 'state'] as const
type ChannelUpdate = UpdateOf<
  'updateChannels',
  typeof channelUpdate,
  EditedField<typeof editChannel, 'groupUids'>
>

/** @returns the channel after the change */
export async function updateChannel(
  writes: Writes,
  uid: string,
  { at, ...change }: ChannelUpdate & { at: Date },
): Promise<StoredChannel> {
  return writes
    .updateTable('updateChannels')
    .set({ ...pick(change, channelUpdate), changedAt: at, version: sql<number>`version + 1` })
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function removeChannel(writes: Writes, uid: string): Promise<void> {
  await writes.deleteFrom('updateChannels').where('uid', '=', uid).execute()
}

/** All channels of the client, always in the same order. */
export async function listChannelUids(reads: Reads): Promise<string[]> {
  const rows = await reads.selectFrom('updateChannels').select('uid').orderBy('uid').execute()
  return rows.map(row => row.uid)
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

/** The packages on a channel, with their versions. */
export async function findPackagesOn(reads: Reads, channelUid: string): Promise<string[]> {
  const rows = await reads
    .selectFrom('deployPackages as d')
    .innerJoin('updatePackages as p', 'p.uid', 'd.packageUid')
    .where('d.channelUid', '=', channelUid)
    .select(['p.name', 'p.version'])
    .orderBy(sortKey(sql`p.name`))
    .orderBy('d.uid')
    .execute()
  return rows.map(({ name, version }) => `${name} ${version}`)
}
