import { it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { playThroughOutage } from './streaming-offline.ts'

const shop = testConsole({ hasServiceWorker: true, hasOwnServer: true })

it('a streamer’s page plays on for 20 s without the server, and delivers its plays after', async () => {
  await playThroughOutage(shop, { seconds: 20, songSeconds: 4 })
})
