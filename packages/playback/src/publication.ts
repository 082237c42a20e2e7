import type { DeviceManifest, DevicePublication } from '@floorcast/contract/device-manifest.ts'
import type { ManifestPublication } from '@floorcast/contract/manifest.ts'
import { type Ms, parseDateTime } from './instant.ts'
import { instantOfWall, zoneOf } from './zone.ts'

type Start = Pick<ManifestPublication, 'startsAt' | 'activatedAt'>

/** The instant from which a publication is in force on a device in `zone`. */
export function startOfPublication(publication: Start, zone: string): Ms {
  const { startsAt, activatedAt } = publication
  if (startsAt === null) return parseDateTime(activatedAt)
  if ('at' in startsAt) return parseDateTime(startsAt.at)
  return instantOfWall(zone, parseDateTime(startsAt.wall))
}

export interface InForce {
  current: { publication: DevicePublication; startedAt: Ms } | null
  /** The start of the next publication; Infinity without one. */
  nextAt: Ms
}

/** The publication in force: of those that have started, the one with the latest start. */
export function publicationAt(manifest: DeviceManifest, at: Ms): InForce {
  let current: InForce['current'] = null
  let nextAt = Infinity
  for (const publication of manifest.publications) {
    const startedAt = startOfPublication(publication, zoneOf(manifest.device))
    if (startedAt > at) nextAt = Math.min(nextAt, startedAt)
    else if (startedAt <= at && isLater(publication, startedAt, current)) current = { publication, startedAt }
  }
  return { current, nextAt }
}

function isLater(publication: DevicePublication, startedAt: Ms, than: InForce['current']): boolean {
  if (!than || startedAt !== than.startedAt) return !than || startedAt > than.startedAt
  const [mine, other] = [publication, than.publication]
  if (mine.activatedAt !== other.activatedAt) return mine.activatedAt > other.activatedAt
  return mine.uid > other.uid
}
