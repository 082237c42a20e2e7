import type { Attention, Limits, QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import { GOOD_REASONS } from '../devices/devices-sql.ts'
import type { ShortAd } from '../delivery-report/delivery-report.ts'

interface Found extends Pick<QuickMetrics, 'devices' | 'silent'> {
  /** How long the late device that has been quiet longest has not reported; null: none is late. */
  lateSeconds: number | null
  /** Publications with devices that miss files, those of most devices first. */
  unready: readonly { uid: string; name: string; missing: number }[]
  shortAds: readonly ShortAd[]
  limits: Limits
  now: Date
}

export const SOON_DAYS = 7
export const NEARLY_FULL_PERCENT = 90
const DAY_MS = 86_400_000

const lineOf = (about: Attention['about'], count: number, rest: Partial<Attention> = {}): Attention => ({
  about,
  count,
  reason: null,
  unreportedSeconds: null,
  leadsTo: null,
  ...rest,
})

const devicesWith = (filter: Record<string, string>) => ({
  leadsTo: { page: 'devices' as const, item: null, filter },
})

/** How much of a limit is used. */
export const percentOf = ({ used, limit }: { used: number; limit: number }) =>
  limit === 0 ? 100 : Math.floor((100 * used) / limit)

function storageLines({ mediaBytes, statisticsBytes }: Limits): Attention[] {
  const lines: Attention[] = []
  for (const [about, use] of [
    ['mediaStorage', mediaBytes],
    ['statisticsStorage', statisticsBytes],
  ] as const) {
    const percent = percentOf(use)
    if (percent >= NEARLY_FULL_PERCENT) lines.push(lineOf(about, percent))
  }
  return lines
}

/** What needs a person first, the worst first. */
export function findAttention({
  devices,
  silent,
  lateSeconds,
  unready,
  shortAds,
  limits,
  now,
}: Found): Attention[] {
  const days = Math.ceil((Date.parse(limits.expiresAt) - now.getTime()) / DAY_MS)
  const down = (['linklost', 'linkdown'] as const).filter(state => devices[state] > 0)
  const unheard = silent.filter(({ reason }) => !GOOD_REASONS.includes(reason))
  return [
    ...(limits.isExpired ? [lineOf('expired', 0)] : []),
    ...down.map(state => lineOf(state, devices[state], devicesWith({ connectivity: state }))),
    ...(devices.late > 0
      ? [
          lineOf('late', devices.late, {
            unreportedSeconds: lateSeconds,
            ...devicesWith({ connectivity: 'late' }),
          }),
        ]
      : []),
    ...unheard.map(({ reason, devices: count }) =>
      lineOf('silent', count, { reason, ...devicesWith({ silent: reason }) }),
    ),
    ...unready.map(({ uid, name, missing }) =>
      lineOf('missingFiles', missing, {
        leadsTo: { page: 'publication', item: { uid, name }, filter: { state: 'missing' } },
      }),
    ),
    ...shortAds.map(({ uid, name, contentType, day, planned, delivered }) =>
      lineOf('shortAd', planned - delivered, {
        leadsTo: {
          page: 'proof',
          item: { uid, name },
          filter: { track: uid, contentType, from: day, to: day, zone: DEVICE_ZONES },
        },
      }),
    ),
    ...storageLines(limits),
    ...(!limits.isExpired && days <= SOON_DAYS ? [lineOf('expiring', Math.max(0, days))] : []),
    ...(limits.devices.used >= limits.devices.limit ? [lineOf('deviceLimit', limits.devices.used)] : []),
  ]
}
