import type { TagImport } from '@floorcast/contract/tag-calls.ts'
import type { z } from 'zod'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { type AuditedChange, recordChanges } from '../audit/audit.ts'
import { announceChanges } from '../change-feed/change-feed.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import { findUnknownZones, tagChanges } from './tags.ts'
import { compareTags, findByNames, holdOwner, holdOwners, setTag, type TagOwner } from './tags-queries.ts'

type Entries = z.output<typeof TagImport>
type Entry = Entries[number]
type Fault = { path: string; message: string }

const MAX_FAULTS = 100

function refuse(faults: readonly Fault[]): void {
  if (faults.length === 0) return
  throw new ProblemError('wrong-fields', { errors: faults.slice(0, MAX_FAULTS) })
}

/** Uids by level and name; several if more than one item has the name. */
async function readNames(reads: Reads, entries: Entries): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>()
  for (const level of ['device', 'group'] as const) {
    const sought = entries.flatMap(entry =>
      entry.contentType === level && entry.uid === undefined ? (entry.name ?? []) : [],
    )
    for (const { uid, name } of await findByNames(reads, level, [...new Set(sought)]))
      names.set(`${level} ${name}`, [...(names.get(`${level} ${name}`) ?? []), uid])
  }
  return names
}

function ownerOf(ctx: RequestContext, entry: Entry, names: Map<string, string[]>): TagOwner | string {
  const { contentType: level } = entry
  if (level === 'client') return { level, uid: entry.uid ?? ctx.scope.clientId }
  if (entry.uid !== undefined) return { level, uid: entry.uid }
  const [uid, other] = names.get(`${level} ${entry.name}`) ?? []
  if (uid === undefined) return 'unknown'
  return other === undefined ? { level, uid } : 'ambiguous'
}

/** The owner of each tag, in the order of the entries. @throws ProblemError 422 with the faults by index */
function ownersOf(ctx: RequestContext, entries: Entries, names: Map<string, string[]>): TagOwner[] {
  const found = entries.map(entry => ownerOf(ctx, entry, names))
  refuse(
    found.flatMap((owner, n) => (typeof owner === 'string' ? [{ path: `${n}.name`, message: owner }] : [])),
  )
  return found.filter(owner => typeof owner !== 'string')
}

/** A file must not give two values for one key. @throws ProblemError 422 with the indexes of the later ones */
function refuseTwice(entries: Entries, owners: readonly TagOwner[]): void {
  const given = new Set<string>()
  refuse(
    entries.flatMap(({ key }, n) => {
      const tag = `${owners[n]?.uid} ${key}`
      if (given.has(tag)) return [{ path: `${n}.key`, message: 'twice' }]
      given.add(tag)
      return []
    }),
  )
}

async function refuseUnknownZones(reads: Reads, entries: Entries): Promise<void> {
  const isZone = ({ key }: Entry) => key === 'timeZone'
  const unknown = await findUnknownZones(
    reads,
    entries.filter(isZone).map(({ value }) => value),
  )
  refuse(
    entries.flatMap((entry, n) =>
      isZone(entry) && unknown.has(entry.value) ? [{ path: `${n}.value`, message: 'time-zone' }] : [],
    ),
  )
}

/** Locks the owners outside the bin until the transaction ends, groups first. @returns their names by uid */
async function holdAll(writes: Writes, owners: readonly TagOwner[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const level of ['group', 'device'] as const) {
    const uids = owners.filter(owner => owner.level === level).map(({ uid }) => uid)
    if (uids.length === 0) continue
    for (const { uid, name } of await holdOwners(writes, level, [...new Set(uids)])) names.set(uid, name)
  }
  const clients = new Set(owners.filter(({ level }) => level === 'client').map(({ uid }) => uid))
  for (const uid of clients) {
    const client = await holdOwner(writes, { level: 'client', uid })
    if (client) names.set(uid, client.name)
  }
  return names
}

/** Records the changes and notifies consoles and devices: once for each owner, after all tags are locked. */
async function tellAll(
  writes: Writes,
  ctx: RequestContext,
  { owners, changes }: { owners: readonly TagOwner[]; changes: readonly AuditedChange[] },
): Promise<void> {
  await recordChanges(writes, ctx, changes)
  const unique = [...new Map(owners.map(owner => [owner.uid, owner])).values()]
  const uidsOf = (level: TagOwner['level']) =>
    unique.filter(owner => owner.level === level).map(({ uid }) => uid)
  await announceChanges(
    writes,
    ctx.scope.clientId,
    unique.map(({ level, uid }) => ({ entity: level, uid })),
  )
  await invalidateManifests(writes, {
    groups: uidsOf('group'),
    devices: uidsOf('device'),
    ...(uidsOf('client').length > 0 ? { client: true as const } : {}),
  })
}

/**
 * Sets many tags, all or nothing. Imports lock owners and tags in one order, whatever the order of their entries: two at once
 * follow one another. @throws ProblemError 422 with errors by index
 */
export async function importTags(
  ctx: RequestContext,
  entries: Entries,
): Promise<{ added: number; changed: number }> {
  await refuseUnknownZones(ctx.scope.reads, entries)
  const { clientId } = ctx.scope
  return ctx.scope.write(async writes => {
    const owners = ownersOf(ctx, entries, await readNames(writes, entries))
    refuseTwice(entries, owners)
    const names = await holdAll(writes, owners)
    refuse(owners.flatMap(({ uid }, n) => (names.has(uid) ? [] : [{ path: `${n}.uid`, message: 'unknown' }])))
    const tags = entries.flatMap(({ key, value, description }, n) => {
      const owner = owners[n]
      return owner ? [{ owner, key, value, description }] : []
    })
    let added = 0
    const changes: AuditedChange[] = []
    for (const { owner, ...tag } of tags.toSorted(compareTags)) {
      const former = (await setTag(writes, owner, { ...tag, clientId, at: ctx.now })) ?? null
      if (!former) added += 1
      changes.push({
        action: former ? 'edit-tag' : 'add-tag',
        entity: owner.level,
        uid: owner.uid,
        name: names.get(owner.uid) ?? '',
        changes: tagChanges(tag.key, former, tag),
      })
    }
    await tellAll(writes, ctx, { owners, changes })
    return { added, changed: entries.length - added }
  })
}
