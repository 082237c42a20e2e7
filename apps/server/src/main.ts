import { parseArgs } from 'node:util'
import { startServer } from './start-server.ts'

/** Takes settings and no option; those of `npm start` are in tools/start.ts. */
parseArgs()
await startServer()
