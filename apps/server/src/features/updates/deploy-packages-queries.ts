import type {
  addDeployPackage,
  DeployRow,
  DeployState,
  editDeployPackage,
} from '@floorcast/contract/deploy-packages.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type EditedField, type InsertOf, type UpdateOf, pick } from '../../platform/database/columns.ts'
import { type ListColumns, type ListRequest, readPage } from '../../platform/database/list.ts'
import { sortKey } from '../../platform/database/list-source.ts'
import { versionNumbers } from './update-packages-queries.ts'

export interface DeployList extends ListRequest {
  state?: DeployState | undefined
  channel?: string | undefined
  package?: string | undefined
}

const deployColumns = {
  uid: { select: sql<string>`dp.uid` },
  package: {
    select: sql<DeployRow['package']>`jsonb_build_object('uid', p.uid, 'name', p.name, 'version', p.version,
      'category', p.category, 'state', p.state)`,
    sort: sortKey(sql`p.name`),
    search: [sql`p.name`, sql`p.category`],
  },
  packageVersion: { sort: versionNumbers, search: [sql`p.version`] },
  channel: {
    select: sql<DeployRow['channel']>`jsonb_build_object('uid', c.uid, 'name', c.name, 'state', c.state)`,
    sort: sortKey(sql`c.name`),
    search: [sql`c.name`],
  },
  description: { select: sql<string>`dp.description`, search: true },
  state: { select: sql<DeployState>`dp.state`, sort: true },
  isOffered: { select: sql<boolean>`dp.state <> 'paused' and p.state = 'released' and c.state = 'open'` },
  changedAt: { select: sql<string>`dp.changed_at`, sort: true },
  version: { select: sql<number>`dp.version` },
} satisfies ListColumns

export function listDeployRows(reads: Reads, list: DeployList) {
  const parts = [sql`true`]
  if (list.state) parts.push(sql`dp.state = ${list.state}`)
  if (list.channel) parts.push(sql`dp.channel_uid = ${list.channel}`)
  if (list.package) parts.push(sql`dp.package_uid = ${list.package}`)
  return readPage(reads, list, {
    columns: deployColumns,
    from: sql`from deploy_packages dp
      join update_packages p on p.uid = dp.package_uid join update_channels c on c.uid = dp.channel_uid`,
    where: sql.join(parts, sql` and `),
    newest: sql`dp.changed_at`,
  })
}

/**
 * The devices of channels by the version that they report (null: none). Once for a page: for each row alone, PostgreSQL would
 * read all devices of its channel again.
 */
export async function countDevicesByVersion(
  reads: Reads,
  channelUids: readonly string[],
): Promise<{ channelUid: string; version: string | null; count: number }[]> {
  const { rows } = await sql<{ channelUid: string; version: string | null; count: number }>`
    select cg.channel_uid, s.program_version as version, count(*)::int as count
    from update_channel_groups cg join devices d on d.group_uid = cg.group_uid and d.deleted_at is null
      left join device_states s on s.device_uid = d.uid
    where cg.channel_uid = any(${channelUids}::uuid[]) group by cg.channel_uid, s.program_version`.execute(
    reads,
  )
  return rows
}

export type StoredDeploy = Selectable<Tables['deployPackages']>

export const findDeploy = (reads: Reads, uid: string): Promise<StoredDeploy | undefined> =>
  reads.selectFrom('deployPackages').selectAll().where('uid', '=', uid).executeTakeFirst()

/** Locks the deploy package until the transaction ends. */
export const lockDeploy = (writes: Writes, uid: string): Promise<StoredDeploy | undefined> =>
  writes.selectFrom('deployPackages').selectAll().where('uid', '=', uid).forUpdate().executeTakeFirst()

const newDeploy = ['uid', 'clientId', 'packageUid', 'channelUid', 'description'] as const
type NewDeploy = InsertOf<'deployPackages', typeof newDeploy, keyof BodyOf<typeof addDeployPackage>>

/** @throws a unique violation of `deploy_packages_pair` if the package is on the channel */
export async function insertDeploy(writes: Writes, deploy: NewDeploy, at: Date): Promise<void> {
  await writes
    .insertInto('deployPackages')
    .values({ ...pick(deploy, newDeploy), createdAt: at, changedAt: at })
    .execute()
}

const deployUpdate = ['packageUid', 'channelUid', 'description', 'state'] as const
type DeployUpdate = UpdateOf<'deployPackages', typeof deployUpdate, EditedField<typeof editDeployPackage>>

/**
 * @returns the deploy package after the change
 * @throws a unique violation of `deploy_packages_pair` if the package is on the channel
 */
export async function updateDeploy(
  writes: Writes,
  uid: string,
  { at, ...change }: DeployUpdate & { at: Date },
): Promise<StoredDeploy> {
  return writes
    .updateTable('deployPackages')
    .set({ ...pick(change, deployUpdate), changedAt: at, version: sql<number>`version + 1` })
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function removeDeploy(writes: Writes, uid: string): Promise<void> {
  await writes.deleteFrom('deployPackages').where('uid', '=', uid).execute()
}
