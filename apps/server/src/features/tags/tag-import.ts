import type { TagImport } from '@floorcast/contract/tag-calls.ts'
import type { z } from 'zod'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { recordTag, tagChanges } from './tags.ts'
import {
  findByNames,
  holdOwner,
  insertTag,
  knowsTimeZone,
  lockTag,
  type TagOwner,
  updateTag,
} from './tags-queries.ts'

type Entries = z.output<typeof TagImport>
type Entry = Entries[number]
type Fault = { path: string; message: string }

const MAX_FAULTS = 100

function refuse(faults: readonly Fault[]): void {
  if (faults.length === 0) return
  throw new ProblemError(422, 'wrong-fields', { errors: faults.slice(0, MAX_FAULTS) })
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
  const zones = new Map<string, boolean>()
  const faults: Fault[] = []
  for (const [n, { key, value }] of entries.entries()) {
    if (key !== 'timeZone') continue
    const isKnown = zones.get(value) ?? (await knowsTimeZone(reads, value))
    zones.set(value, isKnown)
    if (!isKnown) faults.push({ path: `${n}.value`, message: 'time-zone' })
  }
  refuse(faults)
}

interface Setting {
  owner: TagOwner
  name: string
  entry: Entry
}

/** @returns true if the tag was added, false if it was changed */
async function setTag(
  writes: Writes,
  ctx: RequestContext,
  { owner, name, entry }: Setting,
): Promise<boolean> {
  const { key, value, description } = entry
  const before = await lockTag(writes, owner, key)
  if (before) await updateTag(writes, before.uid, { value, description, at: ctx.now })
  else await insertTag(writes, owner, { clientId: ctx.scope.clientId, key, value, description, at: ctx.now })
  const action = before ? 'edit-tag' : 'add-tag'
  const changes = tagChanges(key, before ?? null, { value, description })
  await recordTag(writes, ctx, { owner, name, action, changes })
  return !before
}

/** Sets many tags, all or nothing. @throws ProblemError 422 with errors by index */
export async function importTags(
  ctx: RequestContext,
  entries: Entries,
): Promise<{ added: number; changed: number }> {
  await refuseUnknownZones(ctx.scope.reads, entries)
  return ctx.scope.write(async writes => {
    const owners = ownersOf(ctx, entries, await readNames(writes, entries))
    refuseTwice(entries, owners)
    const names = new Map<string, string | null>()
    for (const owner of owners)
      if (!names.has(owner.uid)) names.set(owner.uid, (await holdOwner(writes, owner))?.name ?? null)
    refuse(
      owners.flatMap(({ uid }, n) =>
        names.get(uid) === null ? [{ path: `${n}.uid`, message: 'unknown' }] : [],
      ),
    )
    let added = 0
    for (const [n, entry] of entries.entries()) {
      const owner = owners[n]
      if (owner && (await setTag(writes, ctx, { owner, name: names.get(owner.uid) ?? '', entry }))) added += 1
    }
    return { added, changed: entries.length - added }
  })
}
