import { z } from 'zod'

/** `/config.json`: what the console learns of its installation at run time (not wrapped in `data`). */
export const ConsoleSettings = z.object({
  version: z.string(),
  apiBase: z.string(),
  streamBase: z.string(),
  logsBase: z.string(),
  manualBase: z.string(),
  supportEmail: z.string().nullable(),
  supportBot: z.string().nullable(),
  registration: z.enum(['open', 'closed']),
})
export type ConsoleSettings = z.infer<typeof ConsoleSettings>
