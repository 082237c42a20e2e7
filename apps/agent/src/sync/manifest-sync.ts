import { CallError } from '@floorcast/contract/client.ts'
import { Manifest } from '@floorcast/contract/manifest.ts'
import { Problem } from '@floorcast/contract/problem.ts'
import { z } from 'zod'
import type { ManifestBook } from '../store/manifest-book.ts'
import type { ServerLink } from './server-link.ts'

const Answer = z.object({ data: Manifest })
const TIMEOUT = 60_000

/**
 * Asks for the manifest, with the ETag of the newest that is held. Returns whether another one came.
 * Raises `CallError`; an answer that is no manifest is one too, and leaves the held one in force.
 */
export async function fetchManifest(
  link: ServerLink,
  book: ManifestBook,
  now: () => number,
): Promise<boolean> {
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
  if (response.status === 304) return false
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw new CallError(response.status, Problem.safeParse(body).data ?? null)
  const parsed = Answer.safeParse(body)
  const etag = response.headers.get('etag')
  if (!parsed.success || !etag)
    throw new CallError(response.status, null, { cause: parsed.error ?? 'no ETag' })
  book.take({ etag, manifest: parsed.data.data }, now())
  return true
}
