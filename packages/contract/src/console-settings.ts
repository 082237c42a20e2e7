import { z } from 'zod'

/** `/config.json`: the settings of the console at run time (not wrapped in `data`). */
export const ConsoleSettings = z.object({
  version: z.string(),
  /** The commit that the server was built from: 8 hex digits; null where nothing says it. */
  commit: z.string().nullable(),
  /** The address for calls of the API, without a slash at its end; empty for the console's own origin. */
  apiBase: z.string(),
  /** The address for `/device/logs` calls, without a slash at its end; empty for that of the other calls. */
  logsBase: z.string(),
  /** The manual's address, to which the console adds `/` and the language's code; empty: there is none. */
  manualBase: z.string(),
  /** The address of the terms of use; null: the console's own page. */
  termsUrl: z.string().nullable(),
  supportEmail: z.string().nullable(),
  supportBot: z.string().nullable(),
  registration: z.enum(['open', 'closed']),
  /** Whether there is a mail server, which sends the links of registration, invitation and forgotten password. */
  sendsMail: z.boolean(),
})
export type ConsoleSettings = z.infer<typeof ConsoleSettings>
