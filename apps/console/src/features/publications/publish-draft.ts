import { Name } from '@floorcast/contract/fields.ts'
import type { PublishDevices } from '../../platform/publish-address.ts'
import { readStart } from './publication-start.ts'
import type { PublishBody } from './publish-data.ts'
import type { StartValues } from './start-fields.tsx'

/** The fields of the Publish sheet. */
export interface PublishValues {
  playlistUid: string | null
  target: 'group' | 'new'
  groupUid: string | null
  groupName: string
  /** The devices of a new group, with their names. */
  devices: readonly { uid: string; name: string }[]
  /** The publication's name; null: the playlist's. */
  name: string | null
  isLater: boolean
  start: StartValues
  /** Publications that the user has agreed to turn off. */
  turnsOff: readonly string[]
}

/** The call's body; null while a field is missing or wrong. @param chosen the devices of a list's selection */
export function draftOf(values: PublishValues, chosen: PublishDevices | null): PublishBody | null {
  const { playlistUid, isLater, start } = values
  const target = targetOf(values, chosen)
  const startsAt = isLater ? readStart(start.field, start.clock) : undefined
  const name = values.name === null ? undefined : Name.safeParse(values.name).data
  if (playlistUid === null || target === null || startsAt === null) return null
  if (values.name !== null && name === undefined) return null
  return {
    playlistUid,
    ...target,
    turnsOff: [...values.turnsOff],
    ...(startsAt === undefined ? {} : { startsAt }),
    ...(name === undefined ? {} : { name }),
  }
}

type Target = Pick<PublishBody, 'groupUid'> | Pick<PublishBody, 'newGroup'>

function targetOf({ target, groupUid, groupName, devices }: PublishValues, chosen: PublishDevices | null) {
  if (target === 'group') return groupUid === null ? null : ({ groupUid } satisfies Target)
  const name = Name.safeParse(groupName).data
  if (name === undefined || (!chosen && devices.length === 0)) return null
  const selection = chosen?.selection ?? { uids: devices.map(({ uid }) => uid) }
  return { newGroup: { name, devices: selection } } satisfies Target
}
