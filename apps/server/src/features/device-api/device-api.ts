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
 * Opens a device's session: the first use of the key binds it to this player. Only the newest session reports for the
 * device. The token of the former session ends, so that two copies of one disk cannot both report: its channel, on any
 * server, gets `replaced` and is closed with 4001; without a channel its next call gets 401.
 * @throws ProblemError 404 'license-unknown', 403 'license-bound' if the key is bound to another player
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
      detail: "No device has this license key. Copy the key or the install command from the device's card.",
    })
  if (binding.outcome === 'taken')
    throw new ProblemError(403, 'license-bound', {
      detail:
        "This license key belongs to another player. To move it to this one, choose 'New licence key' on the device's card and start with the new key.",
    })
  const { deviceUid, clientId } = binding
  await takeOverSession(context, { deviceUid, clientId, reporterUid: uuidV7() })
  return { token, playpointid: deviceUid }
}

/** Makes a session the active one of its device, and notifies the former one on any server. */
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

/** Closes the device's channel on any server. To be called when a device's token ends and no new session begins. */
export async function endDeviceSession(writes: Writes, deviceUid: string): Promise<void> {
  // No session has this id, so every connected one counts as replaced.
  await notify(writes, 'reporter', [deviceUid, uuidV7()])
}

/** The calling device. @throws ProblemError 404 if the path names another play point */
export function ownDevice<D extends { deviceUid: string }>(call: {
  device: D
  params: { playpointid: string }
}): D {
  if (call.params.playpointid.toLowerCase() !== call.device.deviceUid) throw notFound()
  return call.device
}
