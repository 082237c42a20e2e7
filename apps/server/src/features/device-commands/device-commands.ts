import {
  type CommandKind,
  commandSeconds,
  type DeviceCommands,
  MAX_WAITING_COMMANDS,
  type sendCommand as sendCommandCall,
  type sendDeviceFile,
} from '@floorcast/contract/device-commands.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { DeviceCaller } from '../../platform/auth/session.ts'
import type { ClientScope, Writes } from '../../platform/database/client-scope.ts'
import { notify, notifyAll } from '../../platform/database/notify.ts'
import { notFound, orNotFound, OutcomeError, ProblemError, wrongField } from '../../platform/lib/errors.ts'
import type { NamedItem } from '../../platform/lib/bulk.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { changesBetween, recordAlike, recordChange } from '../audit/audit.ts'
import { hasOwnVolume, lockDeviceForGroup, requireDevice, setDeviceVolume } from '../devices/devices.ts'
import {
  acknowledge,
  countFile,
  type CommandAck,
  countWaiting,
  type FileKind,
  findWaiting,
  insertCommand,
  insertCommands,
  listCommands,
  listFiles,
  markSent,
  readFile,
  saveFile,
} from './device-commands-queries.ts'
import { checkDeviceFile, inTurn } from './device-file.ts'

export { type CommandAck, listWaiting } from './device-commands-queries.ts'

/** Files of one command: an answer may be lost twice. */
const MAX_FILES = 3
/** A card shows so many. */
const MAX_LISTED = 10

/**
 * Puts a command in a device's outbox, from which the server that has the device's channel sends it.
 * @throws ProblemError 403 for a log if the user is not an admin, 404; OutcomeError notDone: too many wait, no picture, or the volume is not
 * the device's to decide
 */
export async function sendCommand(
  ctx: RequestContext,
  deviceUid: string,
  { command, value }: BodyOf<typeof sendCommandCall>,
): Promise<string> {
  if (command === 'send-log' && ctx.session.role !== 'admin') throw new ProblemError('role')
  const uid = uuidV7()
  const { clientId } = ctx.scope
  await ctx.scope.write(async writes => {
    // The lock makes the count of waiting commands certain.
    const device = orNotFound(await lockDeviceForGroup(writes, deviceUid))
    if (command === 'screenshot' && device.kind === 'audio')
      throw new OutcomeError('notDone', { reason: 'no-picture' })
    if ((await countWaiting(writes, deviceUid, ctx.now)) >= MAX_WAITING_COMMANDS)
      throw new OutcomeError('notDone', { reason: 'too-many-commands', limit: MAX_WAITING_COMMANDS })
    const volume = value === undefined ? null : await setDeviceVolume(writes, ctx, { device, volume: value })
    await insertCommand(writes, {
      uid,
      clientId,
      deviceUid,
      command,
      value: volume,
      askedBy: ctx.session.email,
      createdAt: ctx.now,
      expiresAt: new Date(ctx.now.getTime() + commandSeconds[command] * 1000),
    })
    const changes = changesBetween({}, value === undefined ? { command } : { command, value })
    await recordChange(writes, ctx, {
      action: 'command',
      entity: 'device',
      uid: deviceUid,
      name: device.name,
      changes,
    })
    await notify(writes, 'command', [deviceUid])
  })
  return uid
}

/** Restarts devices that the caller has locked and that have room for a command, by one statement a table. */
export async function restartDevices(
  writes: Writes,
  ctx: RequestContext,
  devices: readonly NamedItem[],
): Promise<void> {
  const command = 'restart' as const
  const times = {
    createdAt: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + commandSeconds[command] * 1000),
  }
  const { clientId } = ctx.scope
  await insertCommands(
    writes,
    devices.map(({ uid: deviceUid }) => ({
      uid: uuidV7(),
      clientId,
      deviceUid,
      command,
      value: null,
      askedBy: ctx.session.email,
      ...times,
    })),
  )
  const changes = changesBetween({}, { command })
  await recordAlike(writes, ctx, { action: 'command', entity: 'device', items: devices, changes })
  await notifyAll(
    writes,
    'command',
    devices.map(({ uid }) => [uid]),
  )
}

/** @throws ProblemError 404 */
export async function listDeviceCommands(ctx: RequestContext, deviceUid: string): Promise<DeviceCommands> {
  await requireDevice(ctx, deviceUid)
  return ctx.scope.readTogether(async reads => {
    const files = await listFiles(reads, deviceUid)
    const fileOf = (kind: FileKind) => {
      const found = files.find(file => file.kind === kind)
      return found ? { ...found, sizeBytes: Number(found.sizeBytes) } : null
    }
    return {
      commands: await listCommands(reads, { deviceUid, max: MAX_LISTED, now: ctx.now }),
      hasOwnVolume: await hasOwnVolume(reads, deviceUid),
      screenshot: fileOf('screenshot'),
      log: fileOf('log'),
    }
  })
}

/** @throws ProblemError 404 while the device has sent none */
export const readDeviceFile = async ({ scope }: RequestContext, deviceUid: string, kind: FileKind) =>
  orNotFound(await readFile(scope.reads, deviceUid, kind))

const FILES: Partial<Record<CommandKind, FileKind>> = { screenshot: 'screenshot', 'send-log': 'log' }

/**
 * Keeps the file that a command asked its device for. @throws ProblemError 404 if the command does not wait for a file of this type, or
 * had three; 422 if the bytes are not of the type; 503 if too many pictures wait
 */
export async function storeDeviceFile(
  scope: ClientScope,
  device: DeviceCaller,
  sent: { commandUid: string; file: BodyOf<typeof sendDeviceFile>; now: Date },
): Promise<void> {
  const { commandUid, file, now } = sent
  const { clientId, deviceUid } = device
  const command = await findWaiting(scope.reads, { uid: commandUid, deviceUid, now })
  const kind = FILES[command as CommandKind]
  if (!kind || (kind === 'log') !== (file.contentType === 'text/plain')) throw notFound()
  const { contentType } = file
  const bytes = Buffer.from(file.content, 'base64')
  const store = async () => {
    // Counted first: a wrong one takes as much time.
    await scope.write(async writes => {
      if (!(await countFile(writes, commandUid, MAX_FILES))) throw notFound()
    })
    const checked = await checkDeviceFile(bytes, contentType)
    if (!checked) throw wrongField('content', 'wrong')
    await scope.write(async writes => {
      await saveFile(writes, { clientId, deviceUid, kind }, { ...checked, madeAt: now })
      await notifyConsoles(writes, clientId, [deviceUid])
    })
  }
  await (contentType === 'text/plain' ? store() : inTurn({ clientId, picture: bytes, contentType }, store))
}

const notifyConsoles = (writes: Writes, clientId: string, deviceUids: readonly string[]) =>
  notifyAll(
    writes,
    'live',
    [...new Set(deviceUids)].map(uid => [clientId, 'device', uid]),
  )

/** Notes that commands went to their devices. */
export async function noteSent(scope: ClientScope, uids: readonly string[], at: Date): Promise<void> {
  if (uids.length === 0) return
  await scope.write(async writes => notifyConsoles(writes, scope.clientId, await markSent(writes, uids, at)))
}

/** Stores what devices said of their commands. */
export async function storeAcks(scope: ClientScope, acks: readonly CommandAck[], at: Date): Promise<void> {
  await scope.write(async writes =>
    notifyConsoles(writes, scope.clientId, await acknowledge(writes, acks, at)),
  )
}
