import { z } from 'zod'
import { FormFile } from './endpoint.ts'
import { Description, Kind, Name, queryInt } from './fields.ts'

/** The position of a track in a playlist, from 1. */
export const Position = queryInt(1, 100_000)

/** Where a track of a playlist moves. */
export const MoveDirection = z.enum(['start', 'up10', 'up', 'down', 'down10', 'end'])
export type MoveDirection = z.infer<typeof MoveDirection>

/** The form of an M3U file. */
export const ListFileForm = z.object({
  name: Name.optional(),
  description: Description.optional(),
  kind: Kind.optional(),
  /** An M3U or M3U8 file, at most 5 MiB. */
  file: FormFile,
})
