import { buildPath } from '@floorcast/contract/client.ts'
import { readMediaFile, readMediaPreview } from '@floorcast/contract/media.ts'
import { makeTicket } from '@floorcast/contract/session.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from './client.ts'

/** Tickets last ten minutes; a new one is fetched a minute before. */
const freshMs = 9 * 60_000

async function readTicketed(path: string): Promise<string> {
  const { ticket } = await call(makeTicket, { body: { path } })
  return `${path}?ticket=${encodeURIComponent(ticket)}`
}

/**
 * An address that an `<audio>`, `<video>` or `<img>` can load, undefined until it is known.
 * @param part the file itself or its preview image
 */
export function useMediaAddress(uid: string | undefined, part: 'file' | 'preview'): string | undefined {
  const endpoint = part === 'file' ? readMediaFile : readMediaPreview
  const path = buildPath(endpoint.path, { uid })
  const { data } = useQuery({
    queryKey: ['ticket', path],
    queryFn: () => readTicketed(path),
    enabled: uid !== undefined,
    staleTime: freshMs,
    gcTime: freshMs,
  })
  return data
}
