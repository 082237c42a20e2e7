import { z } from 'zod'
import { MAX_BULK_ITEMS } from './bulk.ts'
import { editors, endpoint } from './endpoint.ts'
import { Uid } from './fields.ts'
import { Outcome } from './outcomes.ts'

export const addTracks = endpoint({
  path: '/action/addtracks/toplaylist/{playlist}',
  summary:
    'Add up to 1,000 media items at the end of a paused simple playlist, in the order of `tracks`, all or none: 404 if one is unknown, 400 if one is of another kind.',
  access: editors,
  params: z.object({ playlist: Uid }),
  body: z.object({
    /** Media items in the order in which they are to play; the same one may occur several times. */
    tracks: z.array(Uid).min(1, 'empty').max(MAX_BULK_ITEMS, 'too-many'),
  }),
  answer: Outcome.extend({
    /** How many were added. */
    added: z.int().optional(),
  }),
  outcomes: ['done', 'notDone'],
})
