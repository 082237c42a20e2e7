import { CallError } from '@floorcast/contract/client.ts'
import type { ManifestReading } from '@floorcast/contract/device-manifest.ts'
import { Problem } from '@floorcast/contract/problem.ts'
import { z } from 'zod'
import type { ManifestBook } from '../store/manifest-book.ts'
import type { ServerLink } from './server-link.ts'

const Answer = z.object({ data: z.unknown().optional() })
const TIMEOUT = 60_000

/**
 * Asks for the manifest, with the ETag of the newest that is held. Returns how another one reads; null when none came.
 * Raises `CallError`; an answer that is no manifest is one too, and leaves the held one in force.
 */
export async function fetchManifest(
  link: ServerLink,
  book: ManifestBook,
  now: () => number,
): Promise<ManifestReading | null> {
  const held = book.newest()?.etag
  const headers: Record<string, string> = held ? { 'if-none-match': held } : {}
  const path = `/api/v2/iplay/manifest/${link.playPoint()}`
  const signal = AbortSignal.timeout(TIMEOUT)
  let response: Response
  try {
    response = await link.fetch(path, { headers, signal })
  } catch (cause) {
    throw new CallError(0, null, { cause })
  }
  if (response.status === 304) return null
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw new CallError(response.status, Problem.safeParse(body).data ?? null)
  const etag = response.headers.get('etag')
  const reading = etag && book.take({ etag, manifest: Answer.safeParse(body).data?.data }, now())
  if (!reading) throw new CallError(response.status, null, { cause: etag ? 'no manifest' : 'no ETag' })
  return reading
}
