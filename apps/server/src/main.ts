import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/*
 * What takes long is begun first: PostgreSQL starts, and makes its cluster in an empty folder, while the server's modules
 * are read; and what they were compiled to is kept for the next start. docs/decisions/0136 has the figures.
 */
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/floorcast', import.meta.url)))
const { beginStart } = await import('./begin-start.ts')
await beginStart()
flushCompileCache()
