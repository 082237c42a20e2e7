import { channel } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'

/* Preloaded into a server (`node --import`): it writes each statement of the server's pools into a file, a line each. */

const file = process.env['STATEMENTS_FILE'] ?? ''

channel('tracing:floorcast.query:start').subscribe(message => {
  const { text } = message as { text: string }
  appendFileSync(file, `${text.replaceAll(/\s+/g, ' ')}\n`)
})
