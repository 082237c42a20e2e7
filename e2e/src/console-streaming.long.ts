import { it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { playThroughOutage } from './streaming-offline.ts'

const shop = testConsole({ hasServiceWorker: true, hasOwnServer: true })

it('a streamer’s page plays on for ten minutes without the server, and delivers its plays after', async () => {
  await playThroughOutage(shop, { seconds: 600, songSeconds: 20 })
})
