import type { Context } from '../../context.ts'
import { addEvent, type NewEvent } from '../client-events/client-events.ts'
import {
  type ContactChange,
  findClientsWithNews,
  type Look,
  settleContact,
  settleSound,
  type SoundChange,
} from './device-conditions-queries.ts'
import { eachClient } from './each-client.ts'
import { lookAtItems } from './item-conditions.ts'
import { lookAtPlans } from './plan-conditions.ts'

/*
 * Each minute one server looks at the devices, publications, updates and alerts of all clients, and each hour at plans and ads. What differs
 * from `conditions`, where the last look left it, becomes an event of the client.
 */

const MINUTE_MS = 60_000
/** After a longer pause devices have as long again to report, before they count as late. */
const PAUSE_MS = 5 * MINUTE_MS

type DeviceEvent = Extract<NewEvent, { deviceUids: string[] }>

/** An event for all devices with the same news. */
function eventsOf<Change extends { uid: string }>(
  changes: readonly Change[],
  factsOf: (change: Change) => Omit<DeviceEvent, 'deviceCount' | 'deviceUids'>,
): DeviceEvent[] {
  const alike = Map.groupBy(changes, change => JSON.stringify(factsOf(change)))
  return [...alike.values()].flatMap(([first, ...rest]) => {
    if (!first) return []
    const deviceUids = [first, ...rest].map(({ uid }) => uid)
    return [{ ...factsOf(first), deviceCount: deviceUids.length, deviceUids } as DeviceEvent]
  })
}

const contactEvents = (changes: readonly ContactChange[]) =>
  eventsOf(changes, ({ state, former }) =>
    state === null ? { kind: 'device.back', from: former ?? 'late' } : { kind: `device.${state}` },
  )

const soundEvents = (changes: readonly SoundChange[]) =>
  eventsOf(changes, ({ state }) =>
    state === null ? { kind: 'device.back', from: 'silent' } : { kind: 'device.silent', reason: state },
  )

/** Makes the events of devices that went late, down or silent, or are back, of all clients. */
async function lookAtDevices(context: Pick<Context, 'database' | 'log'>, look: Look): Promise<void> {
  const clientIds = await findClientsWithNews(context.database.ingest.statements, look)
  await eachClient(context, clientIds, scope =>
    scope.write(async writes => {
      const events = [
        ...contactEvents(await settleContact(writes, look)),
        ...soundEvents(await settleSound(writes, look)),
      ]
      for (const event of events) addEvent(writes, { clientId: scope.clientId, at: look.now }, event)
    }),
  )
}

type LookContext = Pick<Context, 'database' | 'files' | 'log' | 'now'>

/** @returns false if another server has looked in this minute */
export async function lookAtConditions(context: LookContext): Promise<boolean> {
  const { database, now } = context
  const minute = new Date(Math.floor(now().getTime() / MINUTE_MS) * MINUTE_MS)
  let hasLooked = false
  await database.jobs.withAdvisoryLock('conditions', async () => {
    const steadySince = await database.jobs.noteLook(minute, PAUSE_MS)
    if (steadySince === null) return
    hasLooked = true
    await lookAtDevices(context, {
      now: minute,
      isSteady: minute.getTime() - steadySince.getTime() >= PAUSE_MS,
    })
    await lookAtItems(context, minute)
    if (minute.getUTCMinutes() === 0) await lookAtPlans(context, minute)
  })
  return hasLooked
}
