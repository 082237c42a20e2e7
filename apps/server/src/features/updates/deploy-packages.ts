import type { DeployState } from '@floorcast/contract/deploy-packages.ts'
import type * as calls from '@floorcast/contract/deploy-packages.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { z } from 'zod'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { permissionsOf } from '../../platform/auth/rights.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import { orNotFound, OutcomeError, stale } from '../../platform/lib/errors.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { changesBetween, changesOfEdit, recordChange } from '../audit/audit.ts'
import { areSigned } from '../manifests/manifests.ts'
import * as queries from './deploy-packages-queries.ts'
import { lockChannel, type StoredChannel } from './update-channels-queries.ts'
import { lockPackage, type StoredPackage } from './update-packages-queries.ts'
import { listSignatures } from './update-files-queries.ts'
import { findUpdateKey } from './update-key-queries.ts'
import { checkWhole } from './update-packages.ts'
import { nextState, touchChannels, unknownAt } from './updates.ts'

/** The devices of a channel, and those of them that run a version. */
const countOf = (devices: readonly { version: string | null; count: number }[], version: string) => ({
  deviceCount: devices.reduce((sum, { count }) => sum + count, 0),
  heldCount: devices.find(device => device.version === version)?.count ?? 0,
})

export async function listDeployPackages(ctx: RequestContext, list: queries.DeployList) {
  return ctx.scope.readTogether(async reads => {
    const page = await queries.listDeployRows(reads, list)
    const key = await findUpdateKey(reads)
    const files = Map.groupBy(
      await listSignatures(
        reads,
        page.items.map(row => row.package.uid),
      ),
      ({ packageUid }) => packageUid,
    )
    const counts = Map.groupBy(
      await queries.countDevicesByVersion(reads, [...new Set(page.items.map(row => row.channel.uid))]),
      ({ channelUid }) => channelUid,
    )
    const items = page.items.map(row => ({
      ...row,
      ...countOf(counts.get(row.channel.uid) ?? [], row.package.version),
      isOffered: row.isOffered && areSigned(files.get(row.package.uid) ?? [], key),
      permissions: permissionsOf(ctx),
    }))
    return { ...page, items }
  })
}

interface Pair {
  packageUid: string
  channelUid: string
}

/**
 * Locks a package and a channel against changes. A change of one of them locks it first, so the order is package, channel,
 * deploy package everywhere. @throws ProblemError 422 for unknown items
 */
async function holdPair(writes: Writes, { packageUid, channelUid }: Pair) {
  const released = await lockPackage(writes, packageUid, 'share')
  if (!released) throw unknownAt('packageUid')
  const channel = await lockChannel(writes, channelUid, 'share')
  if (!channel) throw unknownAt('channelUid')
  return { package: released, channel }
}

const nameOf = (held: { package: StoredPackage; channel: StoredChannel }) =>
  `${held.package.name} ${held.package.version} - ${held.channel.name}`

function refuseTwice(error: unknown): never {
  if (!isUniqueViolation(error, 'deploy_packages_pair')) throw error
  throw new OutcomeError('notDone', { reason: 'already-deployed' })
}

/** Deploys a package on a channel, paused. @throws OutcomeError notDone if it is on it; ProblemError 422 */
export async function addDeployPackage(
  ctx: RequestContext,
  draft: z.output<typeof calls.addDeployPackage.body>,
) {
  const uid = uuidV7()
  await ctx.scope
    .write(async writes => {
      const name = nameOf(await holdPair(writes, draft))
      await queries.insertDeploy(writes, { ...draft, uid, clientId: ctx.scope.clientId }, ctx.now)
      const changes = changesBetween({}, { ...draft, state: 'paused' })
      await recordChange(writes, ctx, { action: 'add', entity: 'deploy-package', uid, name, changes })
    })
    .catch(refuseTwice)
  return uid
}

/** Locks a deploy package with its package and channel. @throws ProblemError 404; 409 if it was changed */
async function lockWithPair(writes: Writes, uid: string) {
  const seen = orNotFound(await queries.findDeploy(writes, uid))
  const held = await holdPair(writes, seen)
  const deploy = orNotFound(await queries.lockDeploy(writes, uid))
  if (deploy.packageUid !== seen.packageUid || deploy.channelUid !== seen.channelUid) throw stale()
  return { deploy, held }
}

/** @throws OutcomeError notDone while it is on, or for a package that is on the channel; ProblemError 404, 409, 422 */
export async function editDeployPackage(
  ctx: RequestContext,
  change: BodyOf<typeof calls.editDeployPackage>,
): Promise<void> {
  const { uid, version, ...given } = change
  await ctx.scope
    .write(async writes => {
      const seen = orNotFound(await queries.findDeploy(writes, uid))
      const fields = omitUndefined(given)
      const name = nameOf(await holdPair(writes, { ...seen, ...fields }))
      const deploy = orNotFound(await queries.lockDeploy(writes, uid))
      if (version !== undefined && version !== deploy.version) throw stale()
      if (deploy.version !== seen.version) throw stale()
      const movesIt =
        (fields.packageUid ?? deploy.packageUid) !== deploy.packageUid ||
        (fields.channelUid ?? deploy.channelUid) !== deploy.channelUid
      if (movesIt && deploy.state !== 'paused')
        throw new OutcomeError('notDone', { reason: 'active-cannot-be-edited' })
      const after = await queries.updateDeploy(writes, uid, { ...fields, at: ctx.now })
      const changes = changesOfEdit({ before: deploy, after }, fields)
      await recordChange(writes, ctx, { action: 'edit', entity: 'deploy-package', uid, name, changes })
    })
    .catch(refuseTwice)
}

/** Turns it from paused to active, to forced, and back. @throws OutcomeError notConsistent; ProblemError 404, 409 if `from` is stale */
export async function rotateDeployPackage(ctx: RequestContext, uid: string, from: DeployState | undefined) {
  return ctx.scope.write(async writes => {
    const { deploy, held } = await lockWithPair(writes, uid)
    const state = nextState(['paused', 'active', 'forced'], { state: deploy.state, from })
    if (state === 'active' && held.package.state !== 'released')
      throw new OutcomeError('notConsistent', { reason: 'package-not-released', names: [held.package.name] })
    if (state === 'active') await checkWhole(writes, held.package)
    await queries.updateDeploy(writes, uid, { state, at: ctx.now })
    await touchChannels(writes, [deploy.channelUid])
    const changes = changesBetween({ state: deploy.state }, { state })
    const name = nameOf(held)
    await recordChange(writes, ctx, { action: 'rotate', entity: 'deploy-package', uid, name, changes })
    return state
  })
}

/** Removes a package from a channel. @throws ProblemError 404 */
export async function deleteDeployPackage(ctx: RequestContext, uid: string): Promise<void> {
  await ctx.scope.write(async writes => {
    const { deploy, held } = await lockWithPair(writes, uid)
    await queries.removeDeploy(writes, uid)
    await touchChannels(writes, [deploy.channelUid])
    const { packageUid, channelUid, description, state } = deploy
    const changes = changesBetween(
      { packageUid, channelUid, description, state },
      { packageUid: null, channelUid: null, description: null, state: null },
    )
    const name = nameOf(held)
    await recordChange(writes, ctx, { action: 'delete', entity: 'deploy-package', uid, name, changes })
  })
}
