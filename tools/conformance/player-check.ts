import type { DeviceEvent, PlayEvent } from '@floorcast/contract/events.ts'
import type { ReferenceServer } from './reference-server.ts'

/** A rule of docs/device-protocol.md for players. `test` throws what is wrong. */
export interface PlayerCheck {
  rule: string
  test: (server: ReferenceServer) => Promise<void>
}

export const sleep = (seconds: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, seconds * 1000))

export function must(isTrue: boolean, wrong: string): asserts isTrue {
  if (!isTrue) throw new Error(wrong)
}
export async function within(seconds: number, isTrue: () => boolean, wrong: string): Promise<void> {
  const until = Date.now() + seconds * 1000
  while (!isTrue() && Date.now() < until) await sleep(0.05)
  must(isTrue(), `${wrong} (within ${seconds} s)`)
}

export const playsOf = ({ events }: ReferenceServer, publicationUid?: string): PlayEvent[] =>
  events
    .filter(event => event.kind === 'playtrack')
    .filter(play => publicationUid === undefined || play.publicationUid === publicationUid)
    .toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))
export const eventsOf = <K extends DeviceEvent['kind']>({ events }: ReferenceServer, kind: K) =>
  events.filter((event): event is Extract<DeviceEvent, { kind: K }> => event.kind === kind)
