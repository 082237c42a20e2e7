import type { AnswerOf, QueryOf } from '@floorcast/contract/endpoint.ts'
import {
  listBin,
  listDependents,
  NeededItem,
  restore,
  type BinKind,
  type BinRow,
} from '@floorcast/contract/recycle-bin.ts'
import { z } from 'zod'
import { callQuery, listQuery } from '../../platform/call-query.ts'
import { change, Refusal } from '../../platform/client.ts'
import { paths } from '../../platform/paths.ts'
import { entityOfBin, queryKeys } from '../../platform/query-keys.ts'
import { useChange } from '../../platform/use-change.ts'

export type BinQuery = QueryOf<typeof listBin>

export const binQuery = (x: BinKind, query: BinQuery) =>
  listQuery(queryKeys.bin.list(x, query), listBin, { params: { x }, query })

/** The items that need an item. */
export const dependentsQuery = (x: BinKind, uid: string) =>
  callQuery(queryKeys.bin.dependents(x, uid), listDependents, { params: { x, uid } })

type Restored = AnswerOf<typeof restore>

const restoreOne = (contentType: BinKind, uid: string): Promise<Restored> =>
  change(restore, { params: { contentType, uid } })

/** The items that a refused restore needs; empty if it was refused for another reason. */
export function needsOf(error: unknown): readonly NeededItem[] {
  if (!(error instanceof Refusal)) return []
  return z.object({ needs: z.array(NeededItem) }).safeParse(error.outcome).data?.needs ?? []
}

/** Restores an item after what it needs. @throws Refusal, CallError */
async function restoreWithNeeds(x: BinKind, uid: string): Promise<Restored> {
  for (;;) {
    try {
      return await restoreOne(x, uid)
    } catch (error) {
      const needs = needsOf(error)
      if (needs.length === 0) throw error
      for (const need of needs) await restoreWithNeeds(need.kind, need.uid)
    }
  }
}

export const useRestore = (x: BinKind) => useChange(entityOfBin[x], (uid: string) => restoreOne(x, uid))

/** Restores an item and what it needs: its group, its playlist, their media. */
export function useRestoreWithNeeds(x: BinKind) {
  return useChange(
    'publication',
    (uid: string) => restoreWithNeeds(x, uid),
    // A playlist brings its media, a publication its group and its playlist.
    { also: ['media', 'playlist', 'group'] },
  )
}

/** The page of a restored item. */
export function pathOf(x: BinKind, { uid, mediaType }: Pick<BinRow, 'uid' | 'mediaType'>): string {
  if (x === 'media') return paths.mediaItem(mediaType ?? 'melodies', uid)
  return {
    devices: paths.device,
    groups: paths.group,
    publications: paths.publication,
    playlists: paths.playlist,
  }[x](uid)
}

/** The list of a kind in the bin, with the item of a name. */
export const binSearch = (x: BinKind, name: string): string =>
  `${paths.bin(x)}?${new URLSearchParams({ search: `"${name}"` })}`
