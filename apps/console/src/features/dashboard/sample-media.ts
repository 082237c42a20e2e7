import { deleteManyMedia, listMedia, type MediaType } from '@floorcast/contract/media.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { sampleFiles, type SampleFile } from '@floorcast/sample-media/sample-media.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useChange } from '../../platform/use-change.ts'
import { queueUploads } from '../../ui/upload/upload-store.ts'

/** A sample in the client's library. */
export interface SampleItem {
  contentType: MediaType
  uid: string
  hash: string
}

async function fetchSample({ name, url }: SampleFile): Promise<File> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`The server does not send ${name}`)
  return new File([await answer.blob()], name)
}

/** Uploads the samples that are not in the library, as if the user had dropped them. @throws Error if the server does not send them */
export async function addSamples(existing: readonly SampleItem[], onDone: () => void): Promise<void> {
  const here = new Set(existing.map(({ hash }) => hash))
  const missing = sampleFiles.filter(({ hash }) => !here.has(hash))
  const files = await Promise.all(missing.map(fetchSample))
  for (const type of new Set(missing.map(({ contentType }) => contentType)))
    queueUploads(
      files.filter((_, index) => missing[index]?.contentType === type),
      { contentType: type },
      onDone,
    )
}

/** The samples in the library, by their bytes: a user may have renamed them. */
export const samplesQuery = () =>
  queryOptions({
    queryKey: queryKeys.media.samples(),
    queryFn: async ({ signal }) => {
      const found = await Promise.all(
        sampleFiles.map(async ({ contentType, name, hash }) => {
          const query = { search: `"${name}"`, size: 100 }
          const { items } = await call(listMedia, { params: { contentType }, query, signal })
          return items.filter(item => item.hash === hash).map(({ uid }) => ({ contentType, uid, hash }))
        }),
      )
      return found.flat()
    },
  })

async function removeSamples(
  samples: readonly SampleItem[],
): Promise<{ done: string[]; failed: NonNullable<Outcome['failed']> }> {
  const byType = Map.groupBy(samples, ({ contentType }) => contentType)
  const outcomes = await Promise.all(
    [...byType].map(([contentType, items]) =>
      call(deleteManyMedia, { params: { contentType }, body: { uids: items.map(({ uid }) => uid) } }),
    ),
  )
  return {
    done: outcomes.flatMap(({ done = [] }) => done),
    failed: outcomes.flatMap(({ failed = [] }) => failed),
  }
}

/** Moves samples to the recycle bin; those in a playlist stay. */
export const useRemoveSamples = () => useChange('media', removeSamples)
