import { z } from 'zod'
import { endpoint, readers } from './endpoint.ts'
import { queryInt, Uid } from './fields.ts'

/** The entities whose changes the feed tells. */
export const FollowedEntity = z.enum([
  'device',
  'group',
  'media',
  'playlist',
  'publication',
  'play',
  'alert',
  'user',
  // The operator's notice, or 'read only'. It has no uid and concerns all clients.
  'installation',
])
export type FollowedEntity = z.infer<typeof FollowedEntity>

/**
 * A line of the change feed: a changed item, which the console reads again; a change from before the stream, and one that may
 * not have been told, has no uid. An empty object every 20 s keeps the stream open. The last line of a server that stops has
 * `retryAfterMs`.
 */
export const LiveLine = z.object({
  thing: FollowedEntity.optional(),
  uid: Uid.optional(),
  retryAfterMs: z
    .int()
    .min(0)
    .max(60_000)
    .optional()
    .describe('Connect again after this time: the server stops.'),
})
export type LiveLine = z.infer<typeof LiveLine>

/** The server knows the changes of this time before a stream. */
export const MAX_READING_MS = 60_000
/** It allows for a call that is this late: a caller whose stream took longer to open may lack changes. */
export const MAX_OPENING_MS = 2000

export const followLive = endpoint({
  path: '/api/v2/live',
  summary:
    'A stream of lines of JSON (NDJSON), one for each changed item of the client, and `installation` when what holds for all users has changed.',
  access: readers,
  query: z.object({
    readingForMs: queryInt(0, MAX_READING_MS)
      .optional()
      .describe(
        'For how long the caller has read already. What has changed in that time comes first, each thing once, without a uid.',
      ),
  }),
  answer: LiveLine,
  answerForm: 'lines',
})
