import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { addDeployPackage, DeployState, editDeployPackage } from '@floorcast/contract/deploy-packages.ts'
import type { z } from 'zod'
import type { Writes } from '../../platform/database/client-scope.ts'
import { isTaken } from '../../platform/database/violations.ts'
import { definedOf } from '../../platform/lib/omit-undefined.ts'
import { found, OutcomeError, stale } from '../../platform/lib/errors.ts'
import type { Actor } from '../../platform/auth/request-context.ts'
import { permissionsOf } from '../../platform/auth/rights.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { changesBetween, recordChange } from '../audit/audit.ts'
import * as queries from './deploy-packages-queries.ts'
import { type ChannelFields, lockChannel } from './update-channels-queries.ts'
import { lockPackage, type PackageFields } from './update-packages-queries.ts'
import { nextState, touchChannels, unknownAt } from './updates.ts'

export async function readDeploys(by: Actor, list: queries.DeployList) {
  const page = await queries.listDeployRecords(by.scope.reads, list)
  return { ...page, items: page.items.map(row => ({ ...row, permissions: permissionsOf(by) })) }
}

interface Pair {
  packageUid: string
  channelUid: string
}

/**
 * A package and a channel, held against change. Whoever changes one of them locks it first, so package, channel, deploy
 * package is the order everywhere. @throws ProblemError 422 for what is not there
 */
async function holdPair(writes: Writes, { packageUid, channelUid }: Pair) {
  const released = await lockPackage(writes, packageUid, 'share')
  if (!released) throw unknownAt('packageUid')
  const channel = await lockChannel(writes, channelUid, 'share')
  if (!channel) throw unknownAt('channelUid')
  return { package: released, channel }
}

const nameOf = (held: { package: PackageFields; channel: ChannelFields }) =>
  `${held.package.name} ${held.package.version} - ${held.channel.name}`

function refuseTwice(error: unknown): never {
  if (!isTaken(error, 'deploy_packages_pair')) throw error
  throw new OutcomeError('notDone', { reason: 'already-deployed' })
}

/** Puts a package on a channel, paused. @throws OutcomeError notDone when it is on it; ProblemError 422 */
export async function deployPackage(by: Actor, draft: z.output<typeof addDeployPackage.body>) {
  const uid = uuidV7()
  await by.scope
    .write(async writes => {
      const name = nameOf(await holdPair(writes, draft))
      await queries.insertDeploy(writes, { ...draft, uid, clientId: by.scope.clientId, at: by.now })
      const changes = changesBetween({}, { ...draft, state: 'paused' })
      await recordChange(writes, by, { action: 'add', thing: 'deploy-package', uid, name, changes })
    })
    .catch(refuseTwice)
  return uid
}

/** A deploy package with its pair, all held. @throws ProblemError 404; 409 when it was changed meanwhile */
async function lockWithPair(writes: Writes, uid: string) {
  const seen = found(await queries.findDeploy(writes, uid))
  const held = await holdPair(writes, seen)
  const deploy = found(await queries.lockDeploy(writes, uid))
  if (deploy.packageUid !== seen.packageUid || deploy.channelUid !== seen.channelUid) throw stale()
  return { deploy, held }
}

/** @throws OutcomeError notDone while it is on, or for a package that is on the channel; ProblemError 404, 409, 422 */
export async function changeDeploy(by: Actor, change: BodyOf<typeof editDeployPackage>): Promise<void> {
  const { uid, version, ...given } = change
  await by.scope
    .write(async writes => {
      const seen = found(await queries.findDeploy(writes, uid))
      const fields = definedOf(given)
      const name = nameOf(await holdPair(writes, { ...seen, ...fields }))
      const deploy = found(await queries.lockDeploy(writes, uid))
      if (version !== undefined && version !== deploy.version) throw stale()
      if (deploy.version !== seen.version) throw stale()
      const movesIt =
        (fields.packageUid ?? deploy.packageUid) !== deploy.packageUid ||
        (fields.channelUid ?? deploy.channelUid) !== deploy.channelUid
      if (movesIt && deploy.state !== 'paused')
        throw new OutcomeError('notDone', { reason: 'active-cannot-be-edited' })
      await queries.updateDeploy(writes, uid, { ...fields, at: by.now })
      const changes = changesBetween<Partial<queries.DeployFields>>(deploy, fields)
      await recordChange(writes, by, { action: 'edit', thing: 'deploy-package', uid, name, changes })
    })
    .catch(refuseTwice)
}

/** Paused to active to forced to paused. @throws OutcomeError notConsistent; ProblemError 404, 409 when `from` is stale */
export async function turnDeploy(by: Actor, uid: string, from: DeployState | undefined) {
  return by.scope.write(async writes => {
    const { deploy, held } = await lockWithPair(writes, uid)
    const state = nextState(['paused', 'active', 'forced'], { state: deploy.state, from })
    if (state === 'active' && held.package.state !== 'released')
      throw new OutcomeError('notConsistent', { reason: 'package-not-released', names: [held.package.name] })
    await queries.updateDeploy(writes, uid, { state, at: by.now })
    await touchChannels(writes, [deploy.channelUid], by.now)
    const changes = changesBetween({ state: deploy.state }, { state })
    const name = nameOf(held)
    await recordChange(writes, by, { action: 'rotate', thing: 'deploy-package', uid, name, changes })
    return state
  })
}

/** Takes a package off a channel. @throws ProblemError 404 */
export async function deleteDeploy(by: Actor, uid: string): Promise<void> {
  await by.scope.write(async writes => {
    const { deploy, held } = await lockWithPair(writes, uid)
    await queries.removeDeploy(writes, uid)
    await touchChannels(writes, [deploy.channelUid], by.now)
    const { packageUid, channelUid, description, state } = deploy
    const changes = changesBetween<Record<string, unknown>>(
      { packageUid, channelUid, description, state },
      { packageUid: null, channelUid: null, description: null, state: null },
    )
    const name = nameOf(held)
    await recordChange(writes, by, { action: 'delete', thing: 'deploy-package', uid, name, changes })
  })
}
