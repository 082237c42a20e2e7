import type { openDeviceSession } from '@floorcast/contract/device-protocol.ts'
import type { AnswerOf, BodyOf } from '@floorcast/contract/endpoint.ts'
import type { Context } from '../../context.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { notify } from '../../platform/database/notify.ts'
import { notFound, ProblemError } from '../../platform/lib/errors.ts'
import { hashToken, makeToken } from '../../platform/auth/token.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { setActiveSession } from './device-session-queries.ts'

export { readIdentity, readActiveSession as readReporter } from './device-session-queries.ts'

/**
 * Opens a device's session: the key's first use binds it to this player. From now on only this session reports for the
 * device. The former session's token ends, so that two copies of one disk cannot both report: its channel, on whatever
 * server, gets `replaced` and is closed with 4001; without a channel its next call is answered with 401.
 * @throws ProblemError 404 'license-unknown', 403 'license-bound' when the key is bound to another box.
 */
export async function openSession(
  context: Context,
  body: BodyOf<typeof openDeviceSession>,
): Promise<AnswerOf<typeof openDeviceSession>> {
  const token = makeToken()
  const binding = await context.database.auth.bindLicense({
    licenseKey: body.licenseKey.trim().toUpperCase(),
    boxUid: body.boxId,
    tokenHash: hashToken(token),
    model: body.model,
    at: context.now(),
  })
  if (binding.outcome === 'unknown')
    throw new ProblemError(404, 'license-unknown', {
      detail: "No device has this licence key. Copy the key or the install line from the device's card.",
    })
  if (binding.outcome === 'taken')
    throw new ProblemError(403, 'license-bound', {
      detail:
        "This licence key belongs to another box. To move it to this one, choose 'New licence key' on the device's card and start with the new key.",
    })
  const { deviceUid, clientId } = binding
  await takeOverSession(context, { deviceUid, clientId, reporterUid: uuidV7() })
  return { token, playpointid: deviceUid }
}

/** Makes a session the one that reports for its device, and tells the former one on whatever server it is. */
export async function takeOverSession(
  context: Context,
  session: { deviceUid: string; clientId: string; reporterUid: string },
): Promise<void> {
  await context.database.ingest.write(async writes => {
    await setActiveSession(writes, session)
    await notify(writes, 'reporter', [session.deviceUid, session.reporterUid])
    await notify(writes, 'live', [session.clientId, 'device', session.deviceUid])
  })
}

/** To be called when a device's token ends without another taking its place: its channel, wherever it is, is told to go. */
export async function endDeviceSession(writes: Writes, deviceUid: string): Promise<void> {
  // A session that nobody has: whoever is connected is not it.
  await notify(writes, 'reporter', [deviceUid, uuidV7()])
}

/** The device whose token this is, when the call speaks of it. @throws ProblemError 404 for any other play point. */
export function ownDevice<D extends { deviceUid: string }>(call: {
  device: D
  params: { playpointid: string }
}): D {
  if (call.params.playpointid.toLowerCase() !== call.device.deviceUid) throw notFound()
  return call.device
}
