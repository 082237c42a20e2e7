import type { DeviceImport, DeviceImportRow } from '@floorcast/contract/device-import.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import type { z } from 'zod'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { recordChanges } from '../audit/audit.ts'
import { announceChange } from '../change-feed/change-feed.ts'
import { addDevices, lockDeviceCount, type ImportedDevice } from '../devices/devices.ts'
import { lockGroupsForImport } from '../groups/groups.ts'
import { addDeviceTags, findUnknownZones } from '../tags/tags.ts'
import { findImported, findNamesakes } from './device-import-queries.ts'

/*
 * An import adds rows of a user's file, at most 1,000 a call, all or none. docs/decisions/0163.
 */

type Import = z.output<typeof DeviceImport>
interface Fault {
  path: string
  message: string
}
interface Group {
  uid: string
  name: string
  kind: Kind
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new ProblemError('wrong-fields', { errors: [...faults] })
}

/** Two devices are the same to an import if these are: names alone may be 'Till radio' in every shop. */
const identityOf = ({ name, storeNumber }: { name: string; storeNumber: string }) =>
  `${name.toLowerCase()}\n${storeNumber.toLowerCase()}`

/** @throws ProblemError 422 for the later of two rows with one line, or with one name and store number */
function refuseTwice(rows: readonly DeviceImportRow[]): void {
  const lines = new Set<number>()
  const devices = new Set<string>()
  refuse(
    rows.flatMap((row, n) => {
      const identity = identityOf(row)
      const path = lines.has(row.line) ? 'line' : devices.has(identity) ? 'name' : null
      lines.add(row.line)
      devices.add(identity)
      return path ? [{ path: `rows.${n}.${path}`, message: 'twice' }] : []
    }),
  )
}

/** @throws ProblemError 403 `role` if a user who is not an admin gives tags; 422 for a time zone that the database does not know */
async function checkTags(ctx: RequestContext, rows: readonly DeviceImportRow[]): Promise<void> {
  if (ctx.session.role !== 'admin' && rows.some(({ tags }) => tags !== undefined))
    throw new ProblemError('role')
  const zoneOf = ({ tags }: DeviceImportRow) => tags?.timeZone
  const unknown = await findUnknownZones(
    ctx.scope.reads,
    rows.flatMap(row => zoneOf(row) ?? []),
  )
  refuse(
    rows.flatMap((row, n) =>
      unknown.has(zoneOf(row) ?? '') ? [{ path: `rows.${n}.tags.timeZone`, message: 'time-zone' }] : [],
    ),
  )
}

/** Groups by uid, and by name in lower case, which several may have. */
type GroupIndex = ReadonlyMap<string, readonly Group[]>

/** The group of a row, or the key of its fault. */
function groupOf(row: DeviceImportRow, kind: Kind, groups: GroupIndex): Group | string | null {
  const key = row.groupUid ?? row.group?.toLowerCase()
  if (!key) return null
  const [group, other] = groups.get(key) ?? []
  if (!group) return 'unknown'
  if (other) return 'ambiguous'
  return group.kind === 'video' && kind !== 'video' ? 'group-kind' : group
}

/** Locks the groups of the rows. @returns the group of each row. @throws ProblemError 422 */
async function lockGroups(
  writes: Writes,
  rows: readonly DeviceImportRow[],
  kind: Kind,
): Promise<(Group | null)[]> {
  const uids = new Set(rows.flatMap(({ groupUid }) => groupUid ?? []))
  const names = new Set(rows.flatMap(({ group }) => group?.toLowerCase() ?? []))
  const locked = await lockGroupsForImport(writes, { uids: [...uids], names: [...names] })
  const groups: GroupIndex = new Map<string, readonly Group[]>([
    ...Map.groupBy(locked, ({ name }) => name.toLowerCase()),
    ...locked.map((group): [string, Group[]] => [group.uid, [group]]),
  ])
  const cases = new Map<string, Group | string | null>()
  const found = rows.map(row => {
    const key = row.groupUid ?? ` ${row.group?.toLowerCase() ?? ''}`
    if (!cases.has(key)) cases.set(key, groupOf(row, kind, groups))
    return cases.get(key) ?? null
  })
  refuse(
    found.flatMap((group, n) =>
      typeof group === 'string'
        ? [{ path: `rows.${n}.${rows[n]?.groupUid ? 'groupUid' : 'group'}`, message: group }]
        : [],
    ),
  )
  return found.map(group => (typeof group === 'string' ? null : group))
}

/** The devices that rows name and that the client had before this call, by the index of the row. */
async function findExisting(
  writes: Writes,
  { importUid, existing, rows }: Import,
): Promise<{ imported: Map<number, string>; skipped: Map<number, string> }> {
  const lines = rows.map(({ line }) => line)
  const uidOfLine = new Map(
    (await findImported(writes, { importUid, lines })).map(row => [row.line, row.uid]),
  )
  const imported = new Map<number, string>()
  for (const [n, { line }] of rows.entries()) {
    const uid = uidOfLine.get(line)
    if (uid !== undefined) imported.set(n, uid)
  }
  const others = rows.flatMap((row, n) => (imported.has(n) ? [] : { n, row }))
  const skipped = new Map<number, string>()
  for (const { uid, index } of await findNamesakes(
    writes,
    others.map(({ row }) => row),
  )) {
    const other = others[index]
    if (other) skipped.set(other.n, uid)
  }
  if (existing === 'refuse')
    refuse([...skipped.keys()].map(n => ({ path: `rows.${n}.name`, message: 'exists' })))
  return { imported, skipped }
}

/** Records the new devices of each group in its history, and notifies consoles once. */
async function recordJoined(
  writes: Writes,
  ctx: RequestContext,
  joined: ReadonlyMap<Group, number>,
): Promise<void> {
  const entries = [...joined].map(([{ uid, name }, devices]) => ({
    action: 'add-devices' as const,
    entity: 'group' as const,
    uid,
    name,
    changes: { devices: [null, devices] as [unknown, unknown] },
  }))
  await recordChanges(writes, ctx, entries)
  const [first] = entries
  if (first) await announceChange(writes, ctx.scope.clientId, first)
}

/**
 * Adds devices and puts them in groups, all or none. Rows that this import has stored before are not stored again.
 * @returns the device of each row
 * @throws ProblemError 403, 422 with errors by index; OutcomeError notDone `device-limit`
 */
export async function importDevices(
  ctx: RequestContext,
  kind: Kind,
  given: Import,
): Promise<{ done: string[]; added: number; skipped: number; skippedLines: number[] }> {
  const { importUid, rows } = given
  refuseTwice(rows)
  await checkTags(ctx, rows)
  return ctx.scope.write(async writes => {
    // Imports of one client follow one another, so that two of the same file cannot both find no namesakes.
    await lockDeviceCount(writes, ctx.scope.clientId)
    const groups = await lockGroups(writes, rows, kind)
    const { imported, skipped } = await findExisting(writes, given)
    const uids = rows.map((_, n) => imported.get(n) ?? skipped.get(n) ?? uuidV7())
    const joined = new Map<Group, number>()
    const devices = rows.flatMap((row, n): ImportedDevice[] => {
      if (imported.has(n) || skipped.has(n)) return []
      const { name, storeNumber, description, line, tags = {} } = row
      const group = groups[n]
      if (group) joined.set(group, (joined.get(group) ?? 0) + 1)
      const groupUid = group?.uid ?? null
      return [{ uid: uids[n] ?? '', name, storeNumber, description, groupUid, importLine: line, tags }]
    })
    const [first] = devices
    if (first) {
      await addDevices(writes, ctx, { kind, importUid, devices })
      await addDeviceTags(writes, ctx, devices)
      await recordJoined(writes, ctx, joined)
      await announceChange(writes, ctx.scope.clientId, { entity: 'device', uid: first.uid })
    }
    return {
      done: uids,
      added: rows.length - skipped.size,
      skipped: skipped.size,
      skippedLines: rows.flatMap(({ line }, n) => (skipped.has(n) ? [line] : [])),
    }
  })
}
