import { deviceTest } from '@floorcast/testing/device-fixture.ts'
import { makeFastMpv } from '@floorcast/testing/recorded-mpv.ts'
import { expect } from 'vitest'

deviceTest.concurrent(
  'A song on a sound card that is too fast is heard whole, and its file is not at fault',
  async ({ device }) => {
    device.publish([device.addSong(1, 12)])
    const bin = makeFastMpv(device.agent.dataDir, 1.1)
    const run = device.agent.start(device.server.url, { bin })
    await device.until(() => expect(device.played().length).toBeGreaterThan(1))
    expect(await run.kill('SIGTERM')).toBe(0)
    expect(device.played()[1]).toMatchObject({ result: 'complete', why: null })
    const faults = device.server.events.filter(event => event.kind === 'debug' && event.code === 'file-short')
    expect(faults).toEqual([])
  },
)
