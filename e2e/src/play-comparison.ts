import { type DeviceLogKind, listDeviceLog } from '@floorcast/contract/devices.ts'
import type { LogEntry } from '@floorcast/contract/logs.ts'
import { z } from 'zod'
import type { SignedInClient } from './client-fixture.ts'
import { readAgentEvents } from './processes.ts'

const AgentEvent = z.looseObject({ id: z.uuid(), bootId: z.uuid(), sequence: z.int(), kind: z.string() })
export type AgentEvent = z.infer<typeof AgentEvent>

/** All entries of a device's log, page by page. */
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

export interface PlayComparison {
  logged: number
  stored: number
  /** Logged by the agent, not on the server. */
  lost: string[]
  /** On the server more than once. */
  duplicated: string[]
  /** On the server, never logged by the agent. */
  unknown: string[]
  /** Sequence numbers of a boot that the agent itself skipped. */
  gaps: string[]
}

/** Compares the agent's event log with the server's, for one kind of event. */
export async function comparePlays(
  client: SignedInClient,
  deviceUid: string,
  agentData: string,
): Promise<PlayComparison> {
  const events = z.array(AgentEvent).parse(await readAgentEvents(agentData))
  const logged = events.filter(event => event.kind === 'playtrack').map(event => event.id)
  const stored = (await readWholeLog(client, deviceUid, 'playtrack')).map(entry => entry.uid)
  const known = new Set(stored)
  const own = new Set(logged)
  return {
    logged: logged.length,
    stored: stored.length,
    lost: logged.filter(id => !known.has(id)),
    duplicated: stored.filter((id, index) => stored.indexOf(id) !== index),
    unknown: stored.filter(id => !own.has(id)),
    gaps: findGaps(events),
  }
}

/**
 * Compares until the agent has logged nothing for `quietSeconds` (longer than its longest track) and the server has
 * all events. Turn the publication off first.
 * @throws Error after two minutes, with the missing events
 */
export async function waitForPlays(
  client: SignedInClient,
  device: { uid: string; agentData: string },
  quietSeconds: number,
): Promise<PlayComparison> {
  const compare = () => comparePlays(client, device.uid, device.agentData)
  const deadline = Date.now() + 120_000
  let seen = await compare()
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, quietSeconds * 1000))
    const next = await compare()
    if (next.logged === seen.logged && next.lost.length === 0 && next.unknown.length === 0) return next
    if (Date.now() > deadline) throw new Error(`The plays do not match: ${JSON.stringify(next)}`)
    seen = next
  }
}

function findGaps(events: readonly AgentEvent[]): string[] {
  const boots = Map.groupBy(events, event => event.bootId)
  return [...boots].flatMap(([bootId, own]) => {
    const numbers = own.map(event => event.sequence).sort((a, b) => a - b)
    return numbers.flatMap((number, index) =>
      number === index + 1 ? [] : [`${bootId}: ${number} stands at ${index + 1}`],
    )
  })
}
