import type { SignedAddress } from '@floorcast/contract/server-address.ts'
import { hashOf, ServerDouble } from '@floorcast/testing/device-server.ts'
import { type DeviceFixture, deviceTest } from '@floorcast/testing/device-fixture.ts'
import { makeUpdateKeys } from '@floorcast/testing/update-keys.ts'
import { expect, type TestContext } from 'vitest'

/** Another address of the device's server. */
async function startOther({
  device,
  onTestFinished,
}: Pick<TestContext, 'onTestFinished'> & { device: DeviceFixture }) {
  const other = new ServerDouble(device.server.playPoint)
  other.client = device.server.client
  other.boundHardwareId = device.server.boundHardwareId
  await other.start()
  onTestFinished(() => other.stop())
  return other
}
const tell = (device: DeviceFixture, otherServer: string | undefined, signedServer?: SignedAddress) =>
  (device.server.changeAnswer = answer => ({ ...answer, otherServer, signedServer }))
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

deviceTest.concurrent(
  'With an update key, goes to an address that its key has signed and to no other, says so, and begins there after a restart',
  async ({ device, onTestFinished }) => {
    const [keys, stranger] = [makeUpdateKeys(), makeUpdateKeys()]
    const { client } = device.server
    device.publish([device.addSong(1, 1)])
    const other = await startOther({ device, onTestFinished })
    const args = ['--update-key', keys.publicKey, '--heartbeat', '0.5']
    const statement = { client, address: other.url, counter: 7 }
    tell(device, other.url)
    const run = device.agent.start(device.server.url, { args })
    await device.untilPlaying()
    const reported = () => device.server.heartbeats.at(-1)?.server
    const untilRefused = (why: string) =>
      device.until(() => expect(reported()?.refused).toEqual({ address: other.url, why }))
    await untilRefused('unsigned')
    tell(device, undefined, stranger.signAddress(statement))
    await untilRefused('signature')
    tell(device, undefined, keys.signAddress({ ...statement, client: device.server.playPoint }))
    await untilRefused('client')
    tell(device, undefined, keys.signAddress(statement))
    const kept = { address: device.server.url, counter: 7, refused: null }
    await device.until(() => expect(reported()).toEqual(kept))
    tell(device, undefined, keys.signAddress({ ...statement, address: 'http://127.0.0.1:1', counter: 6 }))
    await device.until(() => expect(reported()).toMatchObject({ counter: 7, refused: { why: 'old' } }))
    await device.server.stop()
    const before = new Set(device.played().map(({ id }) => id))
    await device.until(() =>
      expect(other.events.filter(({ kind }) => kind === 'playtrack').length).toBeGreaterThan(3),
    )
    expect(other.events.filter(({ id }) => before.has(id))).toEqual([])
    const codes = [...codesOf(device.server), ...codesOf(other)]
    expect(codes.filter(code => code === 'server-not-taken')).toHaveLength(4)
    expect(codes).toContain('server-changed')
    await run.kill('SIGKILL')
    // The first server is there again, and nothing leads the device back.
    await device.server.start()
    const { sessions } = device.server
    const again = device.agent.start(device.server.url, { args })
    await device.until(() => expect(other.sessions).toBe(2))
    await device.until(() => expect(other.heartbeats.at(-1)?.server?.address).toBe(other.url))
    expect(device.server.sessions).toBe(sessions)
    await again.kill('SIGTERM')
  },
)
