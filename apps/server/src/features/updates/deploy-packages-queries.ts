import type { DeployRow, DeployState } from '@floorcast/contract/deploy-packages.ts'
import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type ListPage, type ListRequest, readPage } from '../../platform/database/list.ts'
import { versionNumbers } from './update-packages-queries.ts'

export interface DeployList extends ListRequest {
  state?: DeployState | undefined
  channel?: string | undefined
  package?: string | undefined
}

export type DeployRecord = Omit<DeployRow, 'permissions'>

const DEVICES = sql`devices d join update_channel_groups cg on cg.group_uid = d.group_uid`

const COLUMNS = sql`
  dp.uid, dp.description, dp.state, dp.changed_at, dp.version,
  jsonb_build_object('uid', p.uid, 'name', p.name, 'version', p.version, 'category', p.category, 'state', p.state)
    as package,
  jsonb_build_object('uid', c.uid, 'name', c.name, 'state', c.state) as channel,
  dp.state <> 'paused' and p.state = 'released' and c.state = 'open' as is_offered,
  (select count(*) from ${DEVICES} where cg.channel_uid = c.uid and d.deleted_at is null) as device_count,
  (select count(*) from ${DEVICES} join device_states s on s.device_uid = d.uid
    where cg.channel_uid = c.uid and d.deleted_at is null and s.program_version = p.version) as held_count`

export function listDeployRecords(reads: Reads, list: DeployList): Promise<ListPage<DeployRecord>> {
  const parts = [sql`true`]
  if (list.state) parts.push(sql`dp.state = ${list.state}`)
  if (list.channel) parts.push(sql`dp.channel_uid = ${list.channel}`)
  if (list.package) parts.push(sql`dp.package_uid = ${list.package}`)
  return readPage<DeployRecord>(reads, list, {
    columns: COLUMNS,
    from: sql`from deploy_packages dp
      join update_packages p on p.uid = dp.package_uid join update_channels c on c.uid = dp.channel_uid`,
    where: sql.join(parts, sql` and `),
    searched: [sql`p.name`, sql`p.version`, sql`p.category`, sql`c.name`, sql`dp.description`],
    sorts: {
      package: sql`lower(p.name)`,
      packageVersion: versionNumbers,
      channel: sql`lower(c.name)`,
      state: sql`dp.state`,
      changedAt: sql`dp.changed_at`,
    },
    newest: sql`dp.changed_at`,
    uid: sql`dp.uid`,
  })
}

export interface DeployFields {
  uid: string
  packageUid: string
  channelUid: string
  description: string
  state: DeployState
  version: number
}

const FIELDS = ['uid', 'packageUid', 'channelUid', 'description', 'state', 'version'] as const

export const findDeploy = (reads: Reads, uid: string): Promise<DeployFields | undefined> =>
  reads.selectFrom('deployPackages').select(FIELDS).where('uid', '=', uid).executeTakeFirst()

/** The deploy package, locked until the transaction ends. */
export const lockDeploy = (writes: Writes, uid: string): Promise<DeployFields | undefined> =>
  writes.selectFrom('deployPackages').select(FIELDS).where('uid', '=', uid).forUpdate().executeTakeFirst()

export interface NewDeploy {
  uid: string
  clientId: string
  packageUid: string
  channelUid: string
  description: string
  at: Date
}

/** @throws a unique violation of `deploy_packages_pair` when the package is on the channel */
export async function insertDeploy(writes: Writes, { at, ...fields }: NewDeploy): Promise<void> {
  await writes
    .insertInto('deployPackages')
    .values({ ...fields, createdAt: at, changedAt: at })
    .execute()
}

/** @throws a unique violation of `deploy_packages_pair` when the package is on the channel */
export async function updateDeploy(
  writes: Writes,
  uid: string,
  { at, ...change }: Partial<Omit<DeployFields, 'uid' | 'version'>> & { at: Date },
): Promise<void> {
  await writes
    .updateTable('deployPackages')
    .set(eb => ({ ...change, changedAt: at, version: eb('version', '+', 1) }))
    .where('uid', '=', uid)
    .execute()
}

export async function removeDeploy(writes: Writes, uid: string): Promise<void> {
  await writes.deleteFrom('deployPackages').where('uid', '=', uid).execute()
}
