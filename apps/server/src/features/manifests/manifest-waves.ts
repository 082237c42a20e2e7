import type { GroupPart } from './manifest-parts.ts'

/** Groups of this size hear of changes at once. */
const SMALL_GROUP = 25
/** Devices of larger groups fetch their manifests at this rate, all of them within this time. */
const FETCHES_A_SECOND = 500
const MAX_WAVE_SECONDS = 20

/** The time within which so many devices fetch their manifests; half of the time that is left until `startAt`. */
export function waveSeconds(deviceCount: number, leftSeconds = Infinity): number {
  if (deviceCount <= SMALL_GROUP) return 0
  const seconds = Math.min(deviceCount / FETCHES_A_SECOND, MAX_WAVE_SECONDS, Math.max(0, leftSeconds / 2))
  return Math.round(seconds * 10) / 10
}

/** The zone that reaches a wall time first is this far ahead of UTC. */
const FIRST_ZONE_HOURS = 14

/** Seconds until the soonest of the group's delayed publications starts somewhere; Infinity without one. */
export function secondsToStart({ publications }: Pick<GroupPart, 'publications'>, now: Date): number {
  const starts = publications.flatMap(({ startsAt }) => {
    if (!startsAt) return []
    return 'at' in startsAt
      ? Date.parse(startsAt.at)
      : Date.parse(`${startsAt.wall}Z`) - FIRST_ZONE_HOURS * 3_600_000
  })
  const left = starts.map(at => (at - now.getTime()) / 1000).filter(seconds => seconds > 0)
  return Math.min(...left)
}
