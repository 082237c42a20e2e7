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
export async function lookAtDevices({ database }: Pick<Context, 'database'>, look: Look): Promise<void> {
  for (const clientId of await findClientsWithNews(database.ingest.statements, look))
    await database.forClient(clientId).write(async writes => {
      const events = [
        ...contactEvents(await settleContact(writes, look)),
        ...soundEvents(await settleSound(writes, look)),
      ]
      for (const event of events) addEvent(writes, { clientId, at: look.now }, event)
    })
}
