import { hashOf, ServerDouble } from '@floorcast/testing/device-server.ts'
import { type DeviceFixture, deviceTest } from '@floorcast/testing/device-fixture.ts'
import { expect, type TestContext } from 'vitest'

/** Another address of the device's server. */
async function startOther({
  device,
  onTestFinished,
}: Pick<TestContext, 'onTestFinished'> & { device: DeviceFixture }) {
  const other = new ServerDouble(device.server.playPoint)
  other.boundHardwareId = device.server.boundHardwareId
  await other.start()
  onTestFinished(() => other.stop())
  return other
}
const tell = (device: DeviceFixture, otherServer: string | undefined) =>
  (device.server.changeAnswer = answer => ({ ...answer, otherServer }))
const codesOf = ({ events }: ServerDouble) => events.flatMap(event => ('code' in event ? event.code : []))
const known = (device: DeviceFixture) => device.agent.readState('server-addresses')

deviceTest.concurrent(
  'Goes to the other address that its server has told when the first is gone, and stays there',
  async ({ device, onTestFinished }) => {
    device.publish([device.addSong(1, 1)])
    const other = await startOther({ device, onTestFinished })
    tell(device, other.url)
    const run = device.agent.start(device.server.url)
    await device.untilPlaying()
    await device.until(() => expect(known(device)).toMatchObject({ told: other.url }))
    await device.server.stop()
    const before = new Set(device.played().map(({ id }) => id))
    await device.until(() =>
      expect(other.events.filter(({ kind }) => kind === 'playtrack').length).toBeGreaterThan(3),
    )
    expect(other.channels).toBe(1)
    expect(other.sessions).toBe(1)
    // Each play once, at one of the two.
    expect(other.events.filter(({ id }) => before.has(id))).toEqual([])
    expect(codesOf(other)).toContain('server-changed')
    await run.kill('SIGTERM')
    // A start begins there.
    const song = device.addSong(2, 1)
    device.publish([song], { uid: 601 })
    other.takeOver(device.server)
    const again = device.agent.start(device.server.url)
    await device.until(() =>
      expect(other.events.findLast(({ kind }) => kind === 'playtrack')).toMatchObject({
        sha256: song.sha256,
      }),
    )
    expect(again.output.join('')).not.toContain('No session')
  },
)

deviceTest.concurrent(
  'Gives its license key to no address that cannot prove to be its server, and goes back to the first one',
  async ({ device, onTestFinished }) => {
    device.publish([device.addSong(1, 1)])
    const liar = await startOther({ device, onTestFinished })
    liar.licenseHash = Buffer.from(hashOf(Buffer.from('another key')), 'hex')
    const run = device.agent.start(device.server.url)
    await device.untilPlaying()
    for (const wrong of [liar.url, 'http://127.0.0.1:1', 'no address']) {
      tell(device, wrong)
      await device.server.stop()
      await device.server.start()
      const asked = liar.proofs
      await device.until(() => expect(device.server.channels).toBe(1))
      if (wrong !== 'no address')
        await device.until(() => expect(known(device)).toMatchObject({ told: wrong }))
      await device.server.stop()
      if (wrong === liar.url) await device.until(() => expect(liar.proofs).toBeGreaterThan(asked))
      const { length } = device.played()
      await device.server.start()
      await device.until(() => expect(device.played().length).toBeGreaterThan(length))
    }
    expect([liar.sessionCalls, liar.heartbeats, liar.events]).toEqual([[], [], []])
    await device.until(() => expect(codesOf(device.server)).toContain('server-not-taken'))
    await run.kill('SIGTERM')
    expect(known(device)).toMatchObject({ current: device.server.url, told: null })
  },
)

deviceTest.concurrent(
  'Leaves the other address when it is gone or refuses the key, for the one of its installation',
  async ({ device, onTestFinished }) => {
    device.publish([device.addSong(1, 1)])
    const other = await startOther({ device, onTestFinished })
    tell(device, other.url)
    device.agent.start(device.server.url)
    await device.untilPlaying()
    await device.until(() => expect(known(device)).toMatchObject({ told: other.url }))
    await device.server.stop()
    await device.until(() => expect(other.channels).toBe(1))
    await device.server.start()
    // It refuses calls, while the channel to it stays open.
    other.boundHardwareId = 'another player'
    other.token = 'of nobody'
    await device.until(() => expect(device.server.channels).toBe(1))
    await device.until(() => expect(known(device)).toMatchObject({ current: device.server.url }))
    await device.until(() => expect(other.channels).toBe(0))
  },
)
