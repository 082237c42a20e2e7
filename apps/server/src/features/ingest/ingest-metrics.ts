import type { DeviceIdentity } from '../../platform/auth/session.ts'
import type { Log } from '../../platform/log/log.ts'
import { NoticeLog } from '../../platform/log/notice-log.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import type { EventDeduplicator } from './event-deduplicator.ts'
import type { RefusedEvent } from './event-validation.ts'

/* What monitors see of the reports of devices. */

const BATCH_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Measures how long batches of reports take, with their commit. */
export function timeBatches<Item, Answer>(
  metrics: Metrics,
  kind: 'heartbeats' | 'events',
  work: (items: Item[]) => Promise<Answer>,
): (items: Item[]) => Promise<Answer> {
  const histogram = metrics.histogram(
    'ingest_batch_seconds',
    'How long batches of reports of devices take to be stored.',
    { label: 'kind', buckets: BATCH_SECONDS },
  )
  histogram.zero({ kind })
  return async items => {
    const end = histogram.startTimer({ kind })
    try {
      return await work(items)
    } finally {
      end()
    }
  }
}

/** Counts the heartbeats that came by one of the two ways. A proxy that lets no WebSocket through leaves `call` alone. */
export function countHeartbeats<Heartbeat extends unknown[], Answer>(
  metrics: Metrics,
  by: 'call' | 'channel',
  heartbeats: { receive(...heartbeat: Heartbeat): Promise<Answer> },
): (...heartbeat: Heartbeat) => Promise<Answer> {
  const from = [{ by }]
  const stored = metrics.counter('heartbeats_stored_total', 'Heartbeats of devices that were stored.', from)
  const refused = metrics.counter(
    'heartbeats_refused_total',
    'Heartbeats that were too many, or had a value that cannot be stored.',
    from,
  )
  stored.inc({ by }, 0)
  refused.inc({ by }, 0)
  return async (...heartbeat) => {
    try {
      const answer = await heartbeats.receive(...heartbeat)
      stored.inc({ by })
      return answer
    } catch (error) {
      if (error instanceof ProblemError && error.status < 500) refused.inc({ by })
      throw error
    }
  }
}

/** Counts events by what became of them. */
export function openEventCounts(metrics: Metrics) {
  const plays = metrics.counter('plays_stored_total', 'Plays of devices that were stored, each once.')
  const logs = metrics.counter(
    'device_logs_stored_total',
    'Events of devices other than plays that were stored.',
  )
  const duplicates = metrics.counter('events_duplicate_total', 'Events that had been stored before.')
  const refused = metrics.counter('events_refused_total', 'Events of devices that were refused.')
  return {
    /** Of batches that are committed. */
    countStored({ accepted }: Pick<EventDeduplicator, 'accepted'>): void {
      const played = accepted.filter(({ valid }) => valid.event.kind === 'playtrack').length
      plays.inc(played)
      logs.inc(accepted.length - played)
    },
    countOthers(answer: { duplicates: number; refused: readonly unknown[] }): void {
      duplicates.inc(answer.duplicates)
      refused.inc(answer.refused.length)
    },
    countRefused: (events: number) => refused.inc(events),
  }
}
export type EventCounts = ReturnType<typeof openEventCounts>

/** A device that sends wrong events has one line in this time. */
const REFUSAL_QUIET_MS = 60_000

/** Says in the log why events of a device are refused, with nothing that the device has sent. */
export function openRefusals(log: Log) {
  const notices = new NoticeLog(log, { quietMs: REFUSAL_QUIET_MS })
  return (
    { deviceUid, clientId }: DeviceIdentity,
    { kind, reason }: Pick<RefusedEvent, 'kind' | 'reason'>,
    refused: number,
  ) =>
    notices.warn(
      deviceUid,
      { deviceUid, clientId, kind, reason, refused },
      'events of a device were refused: the first one for this reason',
    )
}
