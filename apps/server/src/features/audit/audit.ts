import type { AuditAction, AuditedKind, AuditField } from '@floorcast/contract/audit.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { notFound } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { announceChange } from '../change-feed/change-feed.ts'
import {
  type AuditList,
  countEntries,
  findChangedItems,
  insertAuditEntries,
  isKnown,
  listAuditEntries,
  lockAudited,
} from './audit-queries.ts'

/** A statement of PostgreSQL takes 65,535 parameters; an entry has eleven. */
const ENTRIES_A_STATEMENT = 1000

/** The fields that differ, each with its value before and after. */
export type Changes = Partial<Record<AuditField, [before: unknown, after: unknown]>>

export interface AuditedChange {
  action: AuditAction
  entity: AuditedKind
  uid: string
  /** Its name at the time. */
  name: string
  changes?: Changes
}

const entryOf = (ctx: RequestContext, { action, entity, uid, name, changes = {} }: AuditedChange) => ({
  uid: uuidV7(),
  clientId: ctx.scope.clientId,
  at: ctx.now,
  userUid: ctx.session.userUid,
  userName: ctx.session.email,
  action,
  thing: entity,
  thingUid: uid,
  thingName: name,
  changes: JSON.stringify(changes),
  requestId: ctx.requestId,
})

/** Records who changed what and when, in the transaction of the change. The commit notifies the client's open consoles. */
export async function recordChange(
  writes: Writes,
  ctx: RequestContext,
  change: AuditedChange,
): Promise<void> {
  await insertAuditEntries(writes, [entryOf(ctx, change)])
  await announceChange(writes, ctx.scope.clientId, change)
}

/** Records changes of many items without notifying consoles; the caller announces them, or records one with `recordChange`. */
export async function recordChanges(
  writes: Writes,
  ctx: RequestContext,
  changes: readonly AuditedChange[],
): Promise<void> {
  for (let from = 0; from < changes.length; from += ENTRIES_A_STATEMENT) {
    const some = changes.slice(from, from + ENTRIES_A_STATEMENT)
    await insertAuditEntries(
      writes,
      some.map(change => entryOf(ctx, change)),
    )
  }
}

/** Records the same change of many items like `recordChanges`. */
export const recordAlike = (
  writes: Writes,
  ctx: RequestContext,
  {
    items,
    ...change
  }: Omit<AuditedChange, 'uid' | 'name'> & { items: readonly Pick<AuditedChange, 'uid' | 'name'>[] },
): Promise<void> =>
  recordChanges(
    writes,
    ctx,
    items.map(({ uid, name }) => ({ ...change, uid, name })),
  )

/** The user name of changes that no user made. */
const INSTALLATION = 'Floorcast'

/** Records changes that the installation made to many items of a client. */
export async function recordOwnChanges(
  writes: Writes,
  { clientId, at, userName = INSTALLATION }: { clientId: string; at: Date; userName?: string },
  changes: readonly AuditedChange[],
): Promise<void> {
  const entries = changes.map(({ action, entity, uid, name, changes: fields = {} }) => ({
    uid: uuidV7(),
    clientId,
    at,
    userUid: null,
    userName,
    action,
    thing: entity,
    thingUid: uid,
    thingName: name,
    changes: JSON.stringify(fields),
    requestId: null,
  }))
  if (entries.length > 0) await insertAuditEntries(writes, entries)
}

/**
 * Records what somebody did to an item without being signed in, unless the item has `max` entries of this action since a
 * moment.
 */
export async function recordLimited(
  writes: Writes,
  { clientId, at, requestId }: { clientId: string; at: Date; requestId: string },
  { change, max, since }: { change: AuditedChange; max: number; since: Date },
): Promise<void> {
  const { action, entity, uid, name, changes = {} } = change
  await lockAudited(writes, { action, uid })
  if ((await countEntries(writes, { action, uid, since })) >= max) return
  const entry = { uid: uuidV7(), clientId, at, userUid: null, userName: INSTALLATION, requestId }
  const thing = { action, thing: entity, thingUid: uid, thingName: name, changes: JSON.stringify(changes) }
  await insertAuditEntries(writes, [{ ...entry, ...thing }])
}

/** Only fields that the history has words for. */
type Known<Fields> = [Exclude<keyof Fields, AuditField>] extends [never]
  ? Fields
  : Record<Exclude<keyof Fields, AuditField>, 'no words'>

/** The fields of `after` that differ from `before`. Fields that `after` does not name count as unchanged. */
export const changesBetween = <Row extends object, After extends Partial<Record<keyof Row, unknown>>>(
  before: Row,
  after: Known<After>,
): Changes => differences(before, after)

/** The same of tags by their keys, which a client may choose itself. */
export const changesOfTags = (
  before: Readonly<Record<string, string | null | undefined>>,
  after: Readonly<Record<string, string | null | undefined>>,
): Changes => differences(before, after)

function differences(before: object, after: object): Changes {
  const old = new Map<string, unknown>(Object.entries(before))
  const pairs = Object.entries(after).map(([field, value]): [string, [unknown, unknown]] => [
    field,
    [old.get(field) ?? null, value ?? null],
  ])
  return Object.fromEntries(pairs.filter(([, [was, is]]) => JSON.stringify(was) !== JSON.stringify(is)))
}

/** The changes of an edit: each named field that differs between the row before and the row after. */
export function changesOfEdit<Row extends object, Named extends object>(
  { before, after }: { before: Row; after: Row },
  named: Known<Named>,
): Changes {
  const stored = Object.entries(after).filter(([field]) => field in named)
  return differences(before, Object.fromEntries(stored))
}

const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** The uids in the values of an entry, wherever they are. */
const uidsIn = ({ changes }: { changes: object }): string[] => JSON.stringify(changes).match(UID) ?? []

/** The entries of one item or user, or all of them, with the items that their changes name by uid. @throws ProblemError 404 when there is no such item or user */
export async function readAudit(ctx: RequestContext, id: string, list: Omit<AuditList, 'about'>) {
  const { reads } = ctx.scope
  if (id !== 'all' && !(await isKnown(reads, id))) throw notFound()
  const page = await listAuditEntries(reads, { ...list, about: id === 'all' ? null : id })
  const named = await findChangedItems(reads, [...new Set(page.items.flatMap(uidsIn))])
  const items = page.items.map(entry => {
    const uids = uidsIn(entry)
    return { ...entry, named: named.filter(({ uid }) => uids.includes(uid)) }
  })
  return { ...page, items }
}
