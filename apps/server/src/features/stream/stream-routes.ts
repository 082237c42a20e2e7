import * as contract from '@floorcast/contract/device-protocol.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { deliverFile } from '../../platform/http/deliver-file.ts'
import type { Http } from '../../platform/http/http.ts'
import { openDoors } from '../../platform/session/doors.ts'
import { findPublishedFile } from '../media/media.ts'
import { ChannelHub } from './channel-hub.ts'
import { makeChannelUpgrade } from './channel-upgrade.ts'
import { openSession } from './device-session.ts'
import { openEvents } from './events.ts'
import { openHeartbeats } from './heartbeats.ts'
import { currentManifest } from './manifest.ts'
import { findDeviceUpdate } from './update-offers.ts'

/** 500 events of the longest text. */
const LARGEST_LIST_BYTES = 4 * 1024 * 1024

export function registerStream(http: Http, context: Context): void {
  const heartbeats = openHeartbeats(context)
  const events = openEvents(context)
  const hub = new ChannelHub(context)
  const doors = openDoors(context.database.door, context.now)

  http.forAll(contract.openDeviceSession, call => openSession(context, call.body))

  http.deliverToDevices(contract.readManifest, async call => {
    const { deviceUid, clientId } = ownDevice(call)
    // A proxy that compresses weakens the tag.
    const held = call.request.headers['if-none-match']?.replace(/^W\//, '') ?? null
    const scope = context.database.forClient(clientId)
    const { etag, body } = await currentManifest(scope, { deviceUid, held, now: call.now })
    call.reply.header('etag', etag).header('cache-control', 'private, no-cache')
    if (body === null) return call.reply.code(304).send()
    return call.reply.type('application/json; charset=utf-8').send(body)
  })

  http.deliverToDevices(contract.readDeviceMedia, async call => {
    const scope = context.database.forClient(call.device.clientId)
    const { uid, sha256 } = call.params
    return deliverFile(call, context.files, await findPublishedFile(scope, uid, sha256))
  })

  http.deliverToDevices(contract.readDeviceUpdate, async call => {
    const scope = context.database.forClient(call.device.clientId)
    return deliverFile(call, context.files, await findDeviceUpdate(scope, call.device, call.params))
  })

  http.forDevices(contract.sendHeartbeat, call => heartbeats.receive(call.device, call.body))

  http.forDevices(
    contract.sendEvents,
    call => {
      ownDevice(call)
      return events.receive(call.device, call.body)
    },
    { bodyLimit: LARGEST_LIST_BYTES },
  )

  http.app.server.on('upgrade', makeChannelUpgrade({ context, doors, hub, heartbeats }))
  http.app.addHook('preClose', () => hub.close())
  http.app.addHook('onClose', async () => {
    await heartbeats.drain()
    await events.drain()
  })
}

/** The device whose token this is, when the call speaks of it. @throws ProblemError 404 for any other play point. */
function ownDevice<D extends { deviceUid: string }>(call: { device: D; params: { playpointid: string } }): D {
  if (call.params.playpointid.toLowerCase() !== call.device.deviceUid) throw notFound()
  return call.device
}
