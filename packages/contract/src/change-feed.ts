import { z } from 'zod'
import { endpoint, readers } from './endpoint.ts'
import { Uid } from './fields.ts'

/** A line of the change feed: a changed item, which the console reads again. An empty object every 20 s keeps the stream open. */
export const LiveLine = z.object({
  thing: z.enum(['device', 'group', 'media', 'playlist', 'publication', 'play', 'alert', 'user']).optional(),
  uid: Uid.optional(),
})
export type LiveLine = z.infer<typeof LiveLine>

export const followLive = endpoint({
  path: '/api/v2/live',
  summary: 'A stream of lines of JSON (NDJSON), one for each changed item of the client.',
  access: readers,
  answer: LiveLine,
  answerForm: 'lines',
})
