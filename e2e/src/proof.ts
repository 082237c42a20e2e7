import { type DeviceLogKind, listDeviceLog } from '@floorcast/contract/devices.ts'
import type { LogEntry } from '@floorcast/contract/logs.ts'
import { z } from 'zod'
import type { SignedInClient } from './line.ts'
import { readAgentEvents } from './processes.ts'

const AgentEvent = z.looseObject({ id: z.uuid(), bootId: z.uuid(), sequence: z.int(), kind: z.string() })
export type AgentEvent = z.infer<typeof AgentEvent>

/** All entries of a device's log, over as many pages as it takes. */
export async function readWholeLog(
  client: SignedInClient,
  deviceUid: string,
  kind: DeviceLogKind,
): Promise<LogEntry[]> {
  const entries: LogEntry[] = []
  for (let page = 1; ; page += 1) {
    const answer = await client.call(listDeviceLog, {
      params: { id: deviceUid, kind },
      query: { page, size: 200 },
    })
    entries.push(...answer.items)
    if (answer.items.length < 200) return entries
  }
}

export interface Comparison {
  logged: number
  stored: number
  /** Logged by the agent, not on the server. */
  lost: string[]
  /** On the server more than once. */
  twice: string[]
  /** On the server, never logged by the agent. */
  invented: string[]
  /** Sequence numbers of a boot that the agent itself skipped. */
  holes: string[]
}

/** Compares the agent's own event log with what the server holds, for one kind of event. */
export async function comparePlays(
  client: SignedInClient,
  deviceUid: string,
  agentData: string,
): Promise<Comparison> {
  const events = z.array(AgentEvent).parse(await readAgentEvents(agentData))
  const logged = events.filter(event => event.kind === 'playtrack').map(event => event.id)
  const stored = (await readWholeLog(client, deviceUid, 'playtrack')).map(entry => entry.uid)
  const known = new Set(stored)
  const own = new Set(logged)
  return {
    logged: logged.length,
    stored: stored.length,
    lost: logged.filter(id => !known.has(id)),
    twice: stored.filter((id, index) => stored.indexOf(id) !== index),
    invented: stored.filter(id => !own.has(id)),
    holes: findHoles(events),
  }
}

/**
 * Compares again and again until the agent has logged nothing new for `quietSeconds` (longer than its longest track) and
 * all of it is on the server; raises after two minutes, with what was missing. Turn the publication off first.
 */
export async function settlePlays(
  client: SignedInClient,
  device: { uid: string; agentData: string },
  quietSeconds: number,
): Promise<Comparison> {
  const compare = () => comparePlays(client, device.uid, device.agentData)
  const deadline = Date.now() + 120_000
  let seen = await compare()
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, quietSeconds * 1000))
    const next = await compare()
    if (next.logged === seen.logged && next.lost.length === 0 && next.invented.length === 0) return next
    if (Date.now() > deadline) throw new Error(`The plays do not settle: ${JSON.stringify(next)}`)
    seen = next
  }
}

function findHoles(events: readonly AgentEvent[]): string[] {
  const boots = Map.groupBy(events, event => event.bootId)
  return [...boots].flatMap(([bootId, own]) => {
    const numbers = own.map(event => event.sequence).sort((a, b) => a - b)
    return numbers.flatMap((number, index) =>
      number === index + 1 ? [] : [`${bootId}: ${number} stands at ${index + 1}`],
    )
  })
}
