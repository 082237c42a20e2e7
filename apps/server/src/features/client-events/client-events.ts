import {
  ADMIN_KINDS,
  type ClientEvent,
  EVENT_DEVICES,
  type listClientEvents,
  LISTED_DEVICES,
} from '@floorcast/contract/client-events.ts'
import type { z } from 'zod'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { beforeCommit, type Reads, type Writes } from '../../platform/database/client-scope.ts'
import { orNotFound, ProblemError } from '../../platform/lib/errors.ts'
import {
  type EventRow,
  findPositions,
  insertEvents,
  listEventRows,
  type NewRow,
} from './client-events-queries.ts'

type Facts<Event> = Event extends unknown ? Omit<Event, 'position' | 'at'> : never
/** An event as its feature tells it. Of `deviceUids`, which may be all of them, the first 10,000 are kept. */
export type NewEvent = Facts<ClientEvent>

const waiting = new WeakMap<Writes, NewRow[]>()

function rowOf(event: NewEvent, at: Date): NewRow {
  const {
    kind,
    deviceCount = null,
    deviceUids = null,
    ...data
  } = { deviceCount: undefined, deviceUids: undefined, ...event }
  return {
    kind,
    at: at.toISOString(),
    deviceCount,
    deviceUids: deviceUids?.slice(0, EVENT_DEVICES) ?? null,
    data,
  }
}

/** Adds an event in the transaction of what happened. It gets its position at the transaction's end. */
export function addEvent(
  writes: Writes,
  { clientId, at }: { clientId: string; at: Date },
  event: NewEvent,
): void {
  const known = waiting.get(writes)
  if (known) return void known.push(rowOf(event, at))
  const rows = [rowOf(event, at)]
  waiting.set(writes, rows)
  beforeCommit(writes, () => insertEvents(writes, clientId, rows))
}

const eventOf = ({ position, at, kind, deviceCount, deviceUids, data }: EventRow): ClientEvent =>
  ({
    position,
    at,
    kind,
    ...(deviceCount === null ? {} : { deviceCount, deviceUids }),
    ...data,
  }) as ClientEvent

/** Kinds that the caller does not read. */
const hiddenFrom = ({ session }: RequestContext): readonly string[] =>
  session.role === 'admin' ? [] : ADMIN_KINDS

/** @throws ProblemError 410 `events-gone` if events after `after` were deleted */
export async function readEvents(
  ctx: RequestContext,
  { after, kind, size }: z.output<typeof listClientEvents.query>,
) {
  const hidden = hiddenFrom(ctx)
  return ctx.scope.readTogether(async reads => {
    const { last, purged } = await findPositions(reads)
    if (after !== 0 && after < purged) throw new ProblemError('events-gone')
    const rows = await listEventRows(reads, { after, kind, hidden, limit: size + 1, devices: LISTED_DEVICES })
    const items = rows.slice(0, size).map(eventOf)
    const hasMore = rows.length > size
    return { items, next: hasMore ? (items.at(-1)?.position ?? last) : Math.max(last, after), hasMore }
  })
}

/** An event by its position, with up to 10,000 of its devices. */
export async function findEvent(
  reads: Reads,
  position: number,
  hidden: readonly string[] = [],
): Promise<ClientEvent | undefined> {
  const [row] = await listEventRows(reads, {
    after: position - 1,
    kind: undefined,
    hidden,
    limit: 1,
    devices: EVENT_DEVICES,
  })
  return row?.position === position ? eventOf(row) : undefined
}

/** @throws ProblemError 404 */
export const readEvent = async (ctx: RequestContext, position: number): Promise<ClientEvent> =>
  orNotFound(await findEvent(ctx.scope.reads, position, hiddenFrom(ctx)))
