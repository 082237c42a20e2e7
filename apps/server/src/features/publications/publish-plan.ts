import { outcomes } from '@floorcast/contract/outcomes.ts'
import { MAX_PUBLISH_DEVICES, type PublishDraft, type PublishPlan } from '@floorcast/contract/publish.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Reads } from '../../platform/database/client-scope.ts'
import { notFound, orNotFound, OutcomeError, ProblemError } from '../../platform/lib/errors.ts'
import { countChosenDevices, countMembers } from '../devices/devices.ts'
import { findStoredGroup } from '../groups/groups.ts'
import { findPublishable } from '../playlists/playlists.ts'
import { isPast, lastZoneDay, pickedStartOf, startDayOf, whyNotFit } from './publication-eligibility.ts'
import { findGroupPublications, type GroupPublication } from './publications-queries.ts'

type Playlist = NonNullable<Awaited<ReturnType<typeof findPublishable>>>
type Group = Pick<NonNullable<Awaited<ReturnType<typeof findStoredGroup>>>, 'name' | 'kind' | 'state'> & {
  uid: string | null
}

const referenceOf = ({ uid, name }: GroupPublication) => ({ uid, name })

/** The group of a draft; a new one has the playlist's kind. @throws ProblemError 404 */
async function groupOf(reads: Reads, draft: PublishDraft, playlist: Playlist): Promise<Group> {
  if (draft.groupUid !== undefined) return orNotFound(await findStoredGroup(reads, draft.groupUid))
  return { uid: null, name: draft.newGroup?.name ?? '', kind: playlist.kind, state: 'paused' }
}

/**
 * The group's publications by what becomes of them. Now, the one in force is in the way; at a later moment, the one that waits
 * already. @throws ProblemError 404 if `turnsOff` names another one
 */
function sortPublications(
  all: readonly GroupPublication[],
  { turnsOff, startsAt, playlistUid }: PublishDraft,
) {
  if (turnsOff.some(uid => all.every(publication => publication.uid !== uid))) throw notFound()
  const isLater = startsAt !== undefined
  const isOn = ({ state, storedState }: GroupPublication) => state === 'active' || storedState === 'active'
  const isInTheWay = (one: GroupPublication) => (isLater ? one.storedState === 'delayed' : isOn(one))
  const off = all.filter(one => turnsOff.includes(one.uid) && (isOn(one) || one.storedState === 'delayed'))
  const rest = all.filter(one => !off.includes(one))
  const isFree = (one: GroupPublication) => one.state === 'disabled' && one.storedState === 'disabled'
  return {
    turnsOff: off.map(referenceOf),
    conflicts: rest.filter(isInTheWay),
    follows: (isLater && rest.find(one => one.state === 'active' && !isInTheWay(one))) || null,
    again: all.find(one => one.playlistUid === playlistUid && (isFree(one) || off.includes(one))) ?? null,
  }
}

interface Facts {
  draft: PublishDraft
  playlist: Playlist
  group: Group
  conflicts: readonly GroupPublication[]
  count: number
  now: Date
}

/** Why the publication would be refused: the checks of docs/specification.md#4-states-and-transitions in their order. */
function refusalsOf({ draft, playlist, group, conflicts, count, now }: Facts): OutcomeError[] {
  const refusals: OutcomeError[] = []
  if (conflicts.length > 0)
    refusals.push(new OutcomeError('groupTaken', { names: conflicts.map(({ name }) => name) }))
  const kinds = { publication: group.kind, group: group.kind }
  const startDay = draft.startsAt === undefined ? lastZoneDay(now) : startDayOf(pickedStartOf(draft.startsAt))
  const reason = whyNotFit(kinds, playlist, startDay)
  if (reason) refusals.push(new OutcomeError('notConsistent', { reason }))
  if (draft.newGroup && count > MAX_PUBLISH_DEVICES)
    refusals.push(new OutcomeError('notDone', { reason: 'too-many-devices', limit: MAX_PUBLISH_DEVICES }))
  return refusals
}

/** A plan with its refusals as the call throws them. */
export type PublishSteps = Omit<PublishPlan, 'refusals'> & { refusals: readonly OutcomeError[] }

/**
 * What publishing a draft does. In the transaction that publishes, the caller has locked the group and the playlist.
 * @throws ProblemError 404; 400 for a start in the past
 */
export async function planPublish(reads: Reads, draft: PublishDraft, now: Date): Promise<PublishSteps> {
  if (draft.startsAt !== undefined && isPast(pickedStartOf(draft.startsAt), now))
    throw new ProblemError('start-in-the-past')
  const playlist = orNotFound(await findPublishable(reads, draft.playlistUid))
  const group = await groupOf(reads, draft, playlist)
  const all = group.uid === null ? [] : await findGroupPublications(reads, group.uid, now)
  const { turnsOff, conflicts, follows, again } = sortPublications(all, draft)
  const wanted = { sizeBytes: playlist.sizeBytes, now }
  const devices = draft.newGroup
    ? await countChosenDevices(reads, { ...wanted, devices: draft.newGroup.devices, kind: playlist.kind })
    : await countMembers(reads, group.uid ?? '', wanted)
  const { uid, name, kind, sizeBytes } = playlist
  return {
    playlist: { uid, name, kind, sizeBytes, isActivated: playlist.state === 'paused' },
    group: { uid: group.uid, name: group.name, isActivated: group.state === 'paused' },
    publication: again && referenceOf(again),
    follows: follows && referenceOf(follows),
    turnsOff,
    conflicts: conflicts.map(one => ({
      ...referenceOf(one),
      state: one.state,
      isSamePlaylist: one.playlistUid === playlist.uid,
    })),
    devices,
    refusals: refusalsOf({ draft, playlist, group, conflicts, count: devices.count, now }),
  }
}

export async function previewPublish(ctx: RequestContext, draft: PublishDraft): Promise<PublishPlan> {
  const plan = await ctx.scope.readTogether(reads => planPublish(reads, draft, ctx.now))
  return {
    ...plan,
    refusals: plan.refusals.map(({ outcome, details }) => ({ code: outcomes[outcome], ...details })),
  }
}
