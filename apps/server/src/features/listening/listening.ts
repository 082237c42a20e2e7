import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { namedProgrammes } from '@floorcast/contract/device-manifest.ts'
import type { ListeningState } from '@floorcast/contract/listening.ts'
import { PROTOCOL } from '@floorcast/contract/manifest.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { orNotFound } from '../../platform/lib/errors.ts'
import { readIdentity } from '../device-api/device-api.ts'
import type { Manifests } from '../manifests/manifests.ts'
import { findReport } from './listening-queries.ts'

const decompress = promisify(gunzip)

/** The device that a user listens in on. @throws ProblemError 404 */
export const requireListenable = async ({ scope }: RequestContext, uid: string): Promise<DeviceIdentity> =>
  orNotFound(await readIdentity(scope, uid))

/** A device's last report, and its manifest unless the caller holds it. @throws ProblemError 404 */
export async function readListening(
  ctx: RequestContext,
  manifests: Manifests,
  { uid, held }: { uid: string; held: string | undefined },
): Promise<Omit<ListeningState, 'serverTime'>> {
  const device = await requireListenable(ctx, uid)
  const manifest = await readHeldManifest(manifests, device, held ?? null)
  const report = orNotFound(await findReport(ctx.scope.reads, uid, ctx.now))
  return { ...report, manifest }
}

async function readHeldManifest(
  manifests: Manifests,
  device: DeviceIdentity,
  held: string | null,
): Promise<ListeningState['manifest']> {
  const { etag, body } = await manifests.read({ device, held, protocol: PROTOCOL })
  if (body === null) return null
  const { data } = JSON.parse(body) as { data: Record<string, unknown> }
  // Updates are for the device, and only admins see them.
  const { update: _, ...content } = data
  const programmes = await Promise.all(
    namedProgrammes(content).map(async sha256 => {
      const bytes = await decompress(await manifests.readProgramme(device, sha256))
      return [sha256, bytes.toString()] as const
    }),
  )
  return { etag, content, programmes: Object.fromEntries(programmes) }
}
