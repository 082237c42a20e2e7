import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ManifestUpdate } from '@floorcast/contract/manifest.ts'
import { release } from '@floorcast/contract/release.ts'
import { makeBundle, NEWER, UpdateOffers } from '@floorcast/testing/agent-updates.ts'
import { type DeviceFixture, deviceTest } from '@floorcast/testing/device-fixture.ts'
import { makeUpdateKeys } from '@floorcast/testing/update-keys.ts'
import { expect, onTestFinished } from 'vitest'

/** Without the build. */
const versionOf = (device: DeviceFixture) =>
  device.server.heartbeats.at(-1)?.programVersion.replace(/\+[0-9a-f]{8}$/, '')
const argsOf = (updates: UpdateOffers) => ['--heartbeat', '0.5', '--update-key', updates.publicKey]

/** Starts an agent with its supervisor, which plays. */
async function startSupervised(device: DeviceFixture, args: string[] = []) {
  const updates = new UpdateOffers(device)
  const run = device.agent.start(device.server.url, { args: ['--supervise', ...argsOf(updates), ...args] })
  await device.untilPlaying()
  return { updates, run }
}

deviceTest.concurrent(
  'A good version is downloaded, with a broken line in between, checked, installed, and plays on',
  async ({ device }) => {
    const { updates, run } = await startSupervised(device)
    const update = updates.make(makeBundle())
    const [file] = update.files
    device.server.faults.set(file?.sha256 ?? '', ['truncate'])
    updates.offer(update)
    await device.until(() => expect(updates.steps.at(-1)).toBe('healthy'))
    expect(updates.steps).toEqual([
      'offered',
      'downloading',
      'downloaded',
      'verified',
      'installing',
      'installed',
      'healthy',
    ])
    expect(device.server.ranges.filter(range => range !== undefined)).toHaveLength(1)
    await device.until(() => expect(versionOf(device)).toBe(NEWER))
    await device.hearPlays(1)
    expect(await run.kill('SIGTERM')).toBe(0)
    expect(updates.steps).toHaveLength(7)
  },
)

deviceTest.concurrent(
  'Another build of the running version is installed once if it was signed later, and an older one never',
  async ({ device }) => {
    const { updates, run } = await startSupervised(device)
    const { version } = release
    const program = join(mkdtempSync(join(tmpdir(), 'floorcast-build-')), 'agent.mjs')
    onTestFinished(() => rmSync(dirname(program), { recursive: true }))
    writeFileSync(program, makeBundle({ version }))
    const said = execFileSync(process.execPath, [program, '--build'], { encoding: 'utf8' })
    expect(said).toMatch(new RegExp(`^${version.replaceAll('.', '[.]')} [0-9a-f]{8}\n$`))
    const newer = updates.make(makeBundle({ version }), { version }, { counter: 20 })
    updates.offer(newer)
    await device.until(() => expect(updates.steps.at(-1)).toBe('healthy'))
    const installed = [...updates.steps]
    await device.until(() =>
      expect(device.server.heartbeats.at(-1)?.programVersion).toBe(said.trim().replace(' ', '+')),
    )
    updates.offer(updates.make(makeBundle({ version, start: '0' }), { version }, { counter: 20 }))
    await device.hearPlays(1)
    expect(updates.steps).toEqual(installed)
    updates.offer(updates.make(makeBundle(), {}, { counter: 21 }))
    await device.until(() => expect(versionOf(device)).toBe(NEWER))
    expect(updates.steps.slice(installed.length, installed.length + 1)).toEqual(['offered'])
    expect(await run.kill('SIGTERM')).toBe(0)
  },
)

deviceTest.concurrent(
  'A server cannot bring back what was signed before, and a signed downgrade is obeyed',
  async ({ device }) => {
    const updates = new UpdateOffers(device)
    const start = () => device.agent.start(device.server.url, { args: ['--supervise', ...argsOf(updates)] })
    const first = start()
    await device.untilPlaying()
    const newer = updates.make(makeBundle(), {}, { counter: 10 })
    updates.offer(newer)
    await device.until(() => expect(updates.steps.at(-1)).toBe('healthy'))
    expect(await first.kill('SIGTERM')).toBe(0)

    const run = start()
    const older = makeBundle({ version: '2.998.0' })
    const forced = { version: '2.998.0', isForced: true }
    const refusals: [ManifestUpdate, string][] = [
      [
        updates.make(older, forced, { counter: 9, isDowngrade: true }),
        `It was signed before version ${NEWER} of this device (counter 9, not 10 or more): sign it again`,
      ],
      [
        updates.make(older, forced, { counter: 11 }),
        `It is lower than the version ${NEWER} of this device, and not signed as a downgrade`,
      ],
    ]
    for (const [update, why] of refusals) {
      updates.offer(update)
      await device.until(() => expect(updates.messages.at(-1)).toBe(why))
    }
    updates.offer(updates.make(older, forced, { counter: 12, isDowngrade: true }))
    await device.until(() => expect(updates.steps.at(-1)).toBe('healthy'))
    await device.until(() => expect(versionOf(device)).toBe('2.998.0'))
    // A withdrawn version stays withdrawn, though it is higher.
    updates.offer(newer)
    const why = `It was signed before version 2.998.0 of this device (counter 10, not 12 or more): sign it again`
    await device.until(() => expect(updates.messages.at(-1)).toBe(why))
    expect(updates.steps.filter(step => step === 'installed')).toHaveLength(2)
    expect(await run.kill('SIGTERM')).toBe(0)
  },
)

deviceTest.concurrent(
  'A version that crashes gives way to the former one, and is tried again only when it is forced once more',
  async ({ device }) => {
    const { updates, run } = await startSupervised(device)
    const update = updates.make(makeBundle({ start: 'process.exit(1)' }))
    updates.offer(update)
    await device.until(() => expect(updates.steps.at(-1)).toBe('returned'))
    expect(updates.messages).toEqual([
      `It ended with code 1 before it was healthy. Version ${release.version} runs again`,
    ])
    const steps = updates.steps.length
    updates.offer({ ...update, name: 'Player once more' })
    const plays = device.played().length
    await device.until(() => expect(device.played().length).toBeGreaterThan(plays + 1))
    expect(versionOf(device)).toBe(release.version)
    expect(updates.steps).toHaveLength(steps)
    updates.offer({ ...update, isForced: true })
    await device.until(() => expect(updates.steps.filter(step => step === 'returned')).toHaveLength(2))
    expect(await run.kill('SIGTERM')).toBe(0)
  },
)

deviceTest.concurrent(
  'A version that hangs or ends with the data of the shop is refused, and the former one plays without a gap',
  async ({ device, onTestFinished }) => {
    const bin = mkdtempSync(join(tmpdir(), 'floorcast-hanging-mpv-'))
    onTestFinished(() => rmSync(bin, { recursive: true }))
    writeFileSync(join(bin, 'mpv'), '#!/bin/sh\nexec /bin/sleep 60\n', { mode: 0o755 })
    const { updates, run } = await startSupervised(device, ['--install-seconds', '20'])
    const copy = "copy of this device's data"
    // Each works in an empty folder.
    const badOnData = [
      { trial: 'process.exit(9)', why: `${copy}: it ended with code 9` },
      {
        trial: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
        why: `${copy}: it took more than`,
      },
      { trial: `process.env.PATH = '${bin}'`, why: `${copy}: starting after` },
    ]
    for (const [index, { trial, why }] of badOnData.entries()) {
      const version = `2.998.${index}`
      updates.offer(updates.make(makeBundle({ version, trial }), { version }))
      await device.until(() => expect(updates.messages.at(-1)).toContain(why))
    }
    expect(updates.steps).not.toContain('installed')
    await device.hearPlays(1)
    expect(await run.kill('SIGTERM')).toBe(0)
    const plays = device.played()
    expect(new Set(plays.map(({ bootId }) => bootId)).size).toBe(1)
    const starts = plays.map(({ scheduledAt }) => Date.parse(scheduledAt))
    expect(starts.slice(1).map((at, index) => at - (starts[index] ?? 0))).toEqual(
      starts.slice(1).map(() => 2000),
    )
    expect(readdirSync(join(device.agent.dataDir, 'updates'))).not.toContain('trial')
  },
)

const omitStatement = ({ statement, ...file }: ManifestUpdate['files'][number]) => {
  expect(statement).toBeDefined()
  return file
}

interface Refused {
  offer: (updates: UpdateOffers) => ManifestUpdate
  why: string
}
const bytes = Buffer.from('console.log("2.999.0")\n')
const strangeKey = "The signature of player.mjs is not one of this agent's key"
const refused: Refused[] = [
  {
    offer: updates => {
      const update = updates.make(bytes)
      return { ...update, files: update.files.map(file => omitStatement(file)) }
    },
    why: 'player.mjs has only a signature of former releases: sign it by the sign-update of this one',
  },
  { offer: updates => updates.make(bytes, {}, { keys: makeUpdateKeys() }), why: strangeKey },
  {
    offer: updates => updates.make(bytes, {}, { machines: ['linux-s390x'] }),
    why: `It is for linux-s390x, and this machine is ${process.platform}-${process.arch}`,
  },
  {
    offer: updates => updates.make(bytes, { version: '2.1.0' }),
    why: `It is lower than the installed version ${release.version}, and not forced`,
  },
  {
    offer: updates => updates.make(bytes, { category: 'Program linux-s390x' }),
    why: `It is for linux-s390x, and this machine is ${process.platform}-${process.arch}`,
  },
]
deviceTest.concurrent(
  'Updates that do not fit are refused or fail, each for its reason, and the music goes on',
  async ({ device }) => {
    const { updates, run } = await startSupervised(device)
    for (const [index, { offer }] of refused.entries()) {
      updates.offer(offer(updates))
      await device.until(() => expect(updates.steps).toHaveLength(index + 1))
    }
    expect(updates.messages).toEqual(refused.map(({ why }) => why))
    expect(new Set(updates.steps)).toEqual(new Set(['refused']))
    expect(device.server.ranges).toHaveLength(1)

    const failure = () => updates.messages.at(-1)
    // Not a program at all: one for another machine.
    updates.offer(updates.make(Buffer.from('\u007fELF for another machine')))
    await device.until(() => expect(failure()).toContain('The file does not start on this machine'))
    const failsOnThisNode = `console.error('column index out of range'); process.exit(1)`
    updates.offer(updates.make(makeBundle({ selfTest: failsOnThisNode })))
    await device.until(() => expect(failure()).toContain('on this machine: column index out of range'))
    updates.offer(updates.make(makeBundle({ version: '2.998.0' })))
    await device.until(() => expect(failure()).toContain('The file is version 2.998.0, but the package says'))
    const garbled = updates.make(makeBundle({ version: '2.997.0' }), { version: '2.997.0' })
    const sha256 = garbled.files[0]?.sha256 ?? ''
    device.server.faults.set(sha256, ['garble', 'garble', 'garble'])
    updates.offer(garbled)
    await device.until(() => expect(failure()).toBe('player.mjs: wrong-hash'))
    await device.hearPlays(1)
    expect(versionOf(device)).toBe(release.version)
    expect(await run.kill('SIGTERM')).toBe(0)
  },
)
