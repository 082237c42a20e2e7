import { z } from 'zod'

/** An HTTP error's body: RFC 9457 `application/problem+json`. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  /** A stable code of the cause, with texts in every language (`problems.json`). */
  code: z.string().optional(),
  /** 422: the wrong fields; `message` is a key of `fields.json`. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** 500: the id that the log has too. */
  id: z.string().optional(),
})
export type Problem = z.infer<typeof Problem>
