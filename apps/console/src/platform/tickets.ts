import { buildPath } from '@floorcast/contract/client.ts'
import { readMediaFile, readMediaPreview } from '@floorcast/contract/media.ts'
import { makeTicket } from '@floorcast/contract/auth.ts'
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { call } from './client.ts'
import { apiAddress } from './api-base.ts'
import { queryKeys } from './query-keys.ts'

/** Tickets last ten minutes; a new one is fetched a minute before. */
const freshMs = 9 * 60_000

type Part = 'file' | 'preview'

const pathOf = (uid: string | undefined, part: Part) =>
  buildPath((part === 'file' ? readMediaFile : readMediaPreview).path, { uid })
const keyOf = (uid: string | undefined, part: Part) => queryKeys.media.address(pathOf(uid, part))

/** Fetches an address that an `<audio>`, `<video>` or `<img>` can load. @throws CallError */
export async function readMediaAddress(uid: string, part: Part): Promise<string> {
  const path = pathOf(uid, part)
  const { ticket } = await call(makeTicket, { body: { path } })
  return apiAddress(`${path}?ticket=${encodeURIComponent(ticket)}`)
}

/** Fetches a new address, because the bytes behind it have changed. */
export async function renewMediaAddress(queries: QueryClient, uid: string, part: Part): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: keyOf(uid, part) }),
    queries.invalidateQueries({ queryKey: queryKeys.media.thumbnail(uid) }),
  ])
}

/**
 * An address that an `<audio>`, `<video>` or `<img>` can load, undefined until it is known.
 * @param part the file itself or its preview image
 */
export function useMediaAddress(uid: string | undefined, part: Part): string | undefined {
  const { data } = useQuery({
    queryKey: keyOf(uid, part),
    queryFn: () => readMediaAddress(uid ?? '', part),
    enabled: uid !== undefined,
    staleTime: freshMs,
    gcTime: freshMs,
  })
  return data
}
