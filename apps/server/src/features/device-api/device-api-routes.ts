import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import * as contract from '@floorcast/contract/device-protocol.ts'
import { FORMER_PROTOCOL } from '@floorcast/contract/manifest.ts'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { formatStreamingToken } from '../../platform/auth/authenticator.ts'
import { bearerToken, toAddressKey } from '../../platform/http/admit/access.ts'
import { sendFile } from '../../platform/http/answer/send-file.ts'
import type { Http } from '../../platform/http/http.ts'
import { notFound } from '../../platform/lib/errors.ts'
import { findDeviceUpdate, type Manifests } from '../manifests/manifests.ts'
import { findPreview, getPublishedFile } from '../media/media.ts'
import { openDeviceSessions, openSessionOfStreamer, ownDevice, openServerProofs } from './device-api.ts'

const decompress = promisify(gunzip)
const IMMUTABLE = 'private, max-age=31536000, immutable'

/** The ETag that a device holds. A proxy that compresses weakens it. */
const heldTag = (request: FastifyRequest) => request.headers['if-none-match']?.replace(/^W\//, '') ?? null

export function registerDeviceApi(http: Http, context: Context, manifests: Manifests): void {
  const sessions = openDeviceSessions(context)
  http.forAll(contract.openDeviceSession, call => sessions.open(call.body, toAddressKey(call.address)))

  const proofs = openServerProofs(context)
  http.forAll(contract.proveServer, call => proofs.prove(call.body, toAddressKey(call.address)))

  http.forUsers(contract.openStreamingSession, async call => {
    const opened = await openSessionOfStreamer(context, call.session, call.body)
    const userToken = bearerToken(call.request.headers.authorization) ?? ''
    return { ...opened, token: formatStreamingToken({ userToken, reporterUid: opened.session }) }
  })

  http.streamToDevices(contract.readManifest, async call => {
    const { protocol = FORMER_PROTOCOL } = call.query
    const request = { device: ownDevice(call), held: heldTag(call.request), protocol }
    const { etag, body } = await manifests.read(request)
    call.reply.header('etag', etag).header('cache-control', 'private, no-cache')
    if (body === null) return call.reply.code(304).send()
    return call.reply.type('application/json; charset=utf-8').send(body)
  })

  http.streamToDevices(contract.readProgramme, async call => {
    const { sha256 } = call.params
    const body = await manifests.readProgramme(call.device, sha256)
    const { reply } = call
    reply
      .header('etag', `"${sha256}"`)
      .header('cache-control', IMMUTABLE)
      .header('vary', 'accept-encoding, origin')
    if (heldTag(call.request) === `"${sha256}"`) return reply.code(304).send()
    reply.type('application/json; charset=utf-8')
    if (!/\bgzip\b/.test(call.request.headers['accept-encoding'] ?? ''))
      return reply.send(await decompress(body))
    return reply.header('content-encoding', 'gzip').send(body)
  })

  http.streamToDevices(contract.readDeviceMedia, async call => {
    const scope = context.database.devices.forClient(call.device.clientId)
    const { uid, sha256 } = call.params
    if (!(await manifests.mayFetch(call.device, call.params))) throw notFound()
    return sendFile(call, context.files, await getPublishedFile(scope, uid, sha256))
  })

  http.streamToDevices(contract.readDevicePicture, async call => {
    const scope = context.database.devices.forClient(call.device.clientId)
    const { uid, sha256 } = call.params
    if (!(await manifests.mayFetch(call.device, call.params))) throw notFound()
    await getPublishedFile(scope, uid, sha256)
    const preview = await findPreview({ scope }, uid)
    return preview ? sendFile(call, context.files, preview) : call.reply.code(204).send()
  })

  http.streamToDevices(contract.readDeviceUpdate, async call => {
    const scope = context.database.devices.forClient(call.device.clientId)
    return sendFile(call, context.files, await findDeviceUpdate(scope, call.device, call.params))
  })
}
