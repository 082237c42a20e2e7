import * as contract from '@floorcast/contract/device-protocol.ts'
import type { Context } from '../../context.ts'
import { sendFile } from '../../platform/http/send-file.ts'
import type { Http } from '../../platform/http/http.ts'
import { currentManifest, findDeviceUpdate } from '../manifests/manifests.ts'
import { getPublishedFile } from '../media/media.ts'
import { openDeviceSessions, ownDevice } from './device-api.ts'

export function registerDeviceApi(http: Http, context: Context): void {
  const sessions = openDeviceSessions(context)
  http.forAll(contract.openDeviceSession, call => sessions.open(call.body))

  http.streamToDevices(contract.readManifest, async call => {
    const { deviceUid, clientId } = ownDevice(call)
    // A proxy that compresses weakens the tag.
    const held = call.request.headers['if-none-match']?.replace(/^W\//, '') ?? null
    const scope = context.database.devices.forClient(clientId)
    const { etag, body } = await currentManifest(scope, { deviceUid, held, now: call.now })
    call.reply.header('etag', etag).header('cache-control', 'private, no-cache')
    if (body === null) return call.reply.code(304).send()
    return call.reply.type('application/json; charset=utf-8').send(body)
  })

  http.streamToDevices(contract.readDeviceMedia, async call => {
    const scope = context.database.devices.forClient(call.device.clientId)
    const { uid, sha256 } = call.params
    return sendFile(call, context.files, await getPublishedFile(scope, uid, sha256))
  })

  http.streamToDevices(contract.readDeviceUpdate, async call => {
    const scope = context.database.devices.forClient(call.device.clientId)
    return sendFile(call, context.files, await findDeviceUpdate(scope, call.device, call.params))
  })
}
