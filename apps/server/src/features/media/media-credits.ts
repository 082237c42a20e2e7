import { Readable } from 'node:stream'
import type { CsvSeparator } from '@floorcast/contract/csv.ts'
import type { ListQuery } from '@floorcast/contract/fields.ts'
import {
  MAX_PREVIEWED_CHANGES,
  type CreditChange,
  type CreditRow,
} from '@floorcast/contract/media-credit-calls.ts'
import { creditFields, type MediaCredits } from '@floorcast/contract/media-credits.ts'
import type { MediaFilter, MediaType } from '@floorcast/contract/media.ts'
import type { z } from 'zod'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../platform/lib/csv.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { changesBetween, recordChanges } from '../audit/audit.ts'
import { announceChange } from '../change-feed/change-feed.ts'
import type { TagCredits } from '../media-probe/media-probe.ts'
import { findCredited, listCredits, saveCredits, type CreditedItem } from './media-credits-queries.ts'

export const noTagCredits: TagCredits = {
  artist: '',
  title: '',
  isrc: '',
  composer: '',
  publisher: '',
  invalidIsrc: '',
}

/**
 * An item's credits with what its new file says where they are empty: what a user has written stays. Another ISRC is another
 * recording, whose note goes.
 */
export function fillCredits(item: MediaCredits, tags: TagCredits | null): TagCredits {
  const said = tags ?? noTagCredits
  const text = (field: keyof MediaCredits) => item[field] || said[field]
  return {
    artist: text('artist'),
    title: text('title'),
    isrc: text('isrc'),
    composer: text('composer'),
    publisher: text('publisher'),
    invalidIsrc: said.invalidIsrc,
  }
}

const ROWS_A_STATEMENT = 2000

type CreditFilter = Omit<z.output<typeof MediaFilter>, keyof Omit<z.output<typeof ListQuery>, 'search'>>

/** The credits of a list's media as csv, read while it is sent. */
export function exportCredits(
  { scope }: RequestContext,
  contentType: MediaType,
  { separator, ...filter }: CreditFilter & { separator: CsvSeparator },
): Readable {
  const toLine = (item: CreditedItem) =>
    csvLine([item.uid, item.name, ...creditFields.map(field => item[field])], separator)
  async function* lines() {
    yield BYTE_ORDER_MARK + csvLine(['uid', 'name', ...creditFields], separator)
    let after: Awaited<ReturnType<typeof listCredits>>[number] | null = null
    for (;;) {
      const rows: Awaited<ReturnType<typeof listCredits>> = await listCredits(
        scope.reads,
        { ...filter, contentType },
        { after, max: ROWS_A_STATEMENT },
      )
      yield rows.map(toLine).join('')
      after = rows.at(-1) ?? null
      if (!after || rows.length < ROWS_A_STATEMENT) return
    }
  }
  return Readable.from(lines(), { objectMode: false })
}

/** @throws ProblemError 422 for rows that name an item twice, or none of the content type */
function refuseWrongRows(rows: readonly CreditRow[], known: ReadonlyMap<string, CreditedItem>): void {
  const seen = new Set<string>()
  const errors = rows.flatMap(({ uid }, n) => {
    const message = !known.has(uid) ? 'unknown' : seen.has(uid) ? 'twice' : null
    seen.add(uid)
    return message ? [{ path: `rows.${n}.uid`, message }] : []
  })
  if (errors.length > 0) throw new ProblemError('wrong-fields', { errors })
}

const creditsOf = ({ artist, title, isrc, composer, publisher }: MediaCredits): MediaCredits => ({
  artist,
  title,
  isrc,
  composer,
  publisher,
})

type FoundChange = CreditChange & { uid: string }

/** The items that the rows change. @throws ProblemError 422 */
function findChanges(rows: readonly CreditRow[], items: readonly CreditedItem[]): FoundChange[] {
  const known = new Map(items.map(item => [item.uid, item]))
  refuseWrongRows(rows, known)
  return rows.flatMap(({ uid, ...given }, index): FoundChange[] => {
    const item = known.get(uid)
    if (!item) return []
    const before = creditsOf(item)
    const after = { ...before, ...omitUndefined(given) }
    const isChanged = creditFields.some(field => before[field] !== after[field])
    return isChanged ? [{ index, uid, name: item.name, before, after }] : []
  })
}

const lowerUids = (rows: readonly CreditRow[]) => rows.map(row => ({ ...row, uid: row.uid.toLowerCase() }))

/**
 * Changes the credits of many items, all or none; a preview changes nothing.
 * @throws ProblemError 422 with errors by index
 */
export async function importCredits(
  ctx: RequestContext,
  contentType: MediaType,
  given: { rows: readonly CreditRow[]; isPreview: boolean },
): Promise<{ changed: number; unchanged: number; changes?: CreditChange[] }> {
  const rows = lowerUids(given.rows)
  const wanted = { contentType, uids: rows.map(({ uid }) => uid) }
  const toAnswer = (changes: readonly FoundChange[]) => ({
    changed: changes.length,
    unchanged: rows.length - changes.length,
  })
  if (given.isPreview) {
    const changes = findChanges(rows, await findCredited(ctx.scope.reads, { ...wanted, isLocked: false }))
    return { ...toAnswer(changes), changes: changes.slice(0, MAX_PREVIEWED_CHANGES) }
  }
  return ctx.scope.write(async writes => {
    const changes = findChanges(rows, await findCredited(writes, { ...wanted, isLocked: true }))
    const [first] = changes
    if (first) {
      const items = changes.map(({ uid, after }) => ({ uid, ...after }))
      await saveCredits(writes, items, ctx.now)
      await recordChanges(
        writes,
        ctx,
        changes.map(({ uid, name, before, after }) => ({
          action: 'edit',
          entity: 'media',
          uid,
          name,
          changes: changesBetween(before, after),
        })),
      )
      await announceChange(writes, ctx.scope.clientId, { entity: 'media', uid: first.uid })
    }
    return toAnswer(changes)
  })
}
