import { startServer } from '@floorcast/server/start-server.ts'

/** The server with the demonstration: `npm start -- --demo` (tools/start.ts). */
await startServer(async () => (await import('./demo.ts')).demonstration)
