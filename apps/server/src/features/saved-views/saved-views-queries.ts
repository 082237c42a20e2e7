import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { addSavedView, editSavedView, SavedView, ViewedList } from '@floorcast/contract/saved-views.ts'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { type EditedField, type InsertOf, type UpdateOf, pick } from '../../platform/database/columns.ts'
import { sortKey } from '../../platform/database/list-source.ts'

/** A user's own views, or with null those that the client's users share. */
type Owner = string | null

const isOf = (owner: Owner) => sql<boolean>`user_uid is not distinct from ${owner}::uuid`
const isVisibleTo = (userUid: string) => sql<boolean>`(user_uid = ${userUid} or user_uid is null)`

export async function listViews(
  reads: Reads,
  { list, userUid }: { list: ViewedList; userUid: string },
): Promise<SavedView[]> {
  return reads
    .selectFrom('savedViews')
    .select(['uid', 'name', 'search', 'sort', 'dir', 'filters', 'columns', 'version'])
    .select(sql<boolean>`user_uid is null`.as('isShared'))
    .where('list', '=', list)
    .where(isVisibleTo(userUid))
    .orderBy(sortKey(sql`name`))
    .orderBy('uid')
    .execute()
}

/** Locks the number of a client's views until the transaction ends. @returns how many an owner has, over all lists */
export async function lockViewCount(writes: Writes, clientId: string, owner: Owner): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`saved views ${clientId}`}, 0))`.execute(writes)
  const { count } = await writes
    .selectFrom('savedViews')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(isOf(owner))
    .executeTakeFirstOrThrow()
  return count
}

const newView = [
  'uid',
  'clientId',
  'userUid',
  'list',
  'name',
  'search',
  'sort',
  'dir',
  'filters',
  'columns',
] as const
type NewView = InsertOf<'savedViews', typeof newView, Exclude<keyof BodyOf<typeof addSavedView>, 'isShared'>>

export async function insertView(writes: Writes, { at, ...view }: NewView & { at: Date }): Promise<void> {
  await writes
    .insertInto('savedViews')
    .values({
      ...pick(view, newView),
      createdAt: at,
      changedAt: at,
    })
    .execute()
}

export type StoredView = Selectable<Tables['savedViews']>

/** Locks a view that is the user's own or shared, until the transaction ends. */
export function lockView(
  writes: Writes,
  { uid, userUid }: { uid: string; userUid: string },
): Promise<StoredView | undefined> {
  return writes
    .selectFrom('savedViews')
    .selectAll()
    .where('uid', '=', uid)
    .where(isVisibleTo(userUid))
    .forUpdate()
    .executeTakeFirst()
}

const viewUpdate = ['userUid', 'name', 'search', 'sort', 'dir', 'filters', 'columns'] as const
type ViewUpdate = UpdateOf<'savedViews', typeof viewUpdate, EditedField<typeof editSavedView>>

/** @returns the view after the change */
export function updateView(
  writes: Writes,
  uid: string,
  { at, ...change }: ViewUpdate & { at: Date },
): Promise<StoredView> {
  return writes
    .updateTable('savedViews')
    .set({ ...pick(change, viewUpdate), changedAt: at, version: sql<number>`version + 1` })
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteView(writes: Writes, uid: string): Promise<void> {
  await writes.deleteFrom('savedViews').where('uid', '=', uid).execute()
}
