import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ManifestUpdate } from '@floorcast/contract/manifest.ts'
import type { UpdateStatement } from '@floorcast/contract/update-signing.ts'
import { release } from '@floorcast/contract/release.ts'
import type { DeviceFixture } from './device-fixture.ts'
import { hashOf } from './device-server.ts'
import { makeItem, makePlaylist, makePublication, uidOf } from './manifest-arbitrary.ts'
import { makeUpdateKeys, statementOf, type UpdateKeys } from './update-keys.ts'

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** The agent's bundle as shops get it. */
export function readBundle(): string {
  execFileSync(process.execPath, [pathOf('tools/build-agent.ts')], { stdio: 'ignore' })
  return readFileSync(pathOf('apps/agent/dist/floorcast-agent.mjs'), 'utf8')
}

export const NEWER = '2.999.0'

/**
 * The agent's bundle as another version. `start` is code that runs first, except for `--version` and `--self-test`; `selfTest` is
 * code that runs first for that, and `trial` code that runs
 * when the self-test has passed in an empty folder, before it plays from a copy of the data.
 */
export function makeBundle({ version = NEWER, start = '', selfTest = '', trial = '' } = {}): Buffer {
  const bundle = readBundle()
  const named = `version: "${release.version}"`
  if (bundle.split(named).length !== 2) throw new Error('The bundle does not name its version once')
  const guarded =
    start === ''
      ? ''
      : `if (!['--version', '--self-test'].some(option => process.argv.includes(option))) { ${start} }\n`
  const tried = selfTest === '' ? '' : `if (process.argv.includes('--self-test')) { ${selfTest} }\n`
  const played =
    trial === ''
      ? ''
      : `const { write } = process.stdout
        process.stdout.write = text => { write.call(process.stdout, text); if (/self-test has passed/.test(text)) { ${trial} } }\n`
  return Buffer.from(guarded + tried + played + bundle.replace(named, `version: "${version}"`))
}

type Signed = Partial<UpdateStatement> & { keys?: UpdateKeys }

/** Offers updates to a device, whose agent has this key, and lists its steps. */
export class UpdateOffers {
  readonly #device: DeviceFixture
  readonly keys = makeUpdateKeys()
  readonly #song
  readonly #publication

  constructor(device: DeviceFixture) {
    this.#device = device
    this.#song = device.addSong(1, 2)
    const activatedAt = new Date().toISOString()
    this.#publication = makePublication(makePlaylist([makeItem(0)]), { activatedAt })
    this.offer()
  }

  get publicKey(): string {
    return this.keys.publicKey
  }

  /** Publishes what plays, with an update. */
  offer(update?: ManifestUpdate, settings = {}): void {
    const base = { defaultVolume: 70, loudnessTargetLufs: -16, heartbeatSeconds: 10, debugLog: false }
    this.#device.publishAll([this.#song], [this.#publication], {
      settings: { ...base, alertVolume: 100, ...settings },
      ...(update ? { update } : {}),
    })
  }

  /** An update of one file, which the server has. @param signed another key, or other claims, of its signatures */
  make(bytes: Buffer, part: Partial<ManifestUpdate> = {}, signed: Signed = {}): ManifestUpdate {
    const { keys = this.keys, ...claims } = signed
    const version = part.version ?? NEWER
    const sha256 = hashOf(bytes)
    this.#device.server.addFile({ sha256 }, bytes)
    const file = {
      uid: uidOf(90),
      name: 'player.mjs',
      sha256,
      sizeBytes: bytes.length,
      signature: keys.signFile(bytes),
      statement: keys.signStatement(statementOf(bytes, { version, ...claims })),
      path: `/api/v2/iplay/update/${uidOf(90)}/${sha256}`,
    }
    const head = { packageUid: uidOf(91), name: 'Player', category: 'Program', channelName: 'Pilot shops' }
    return { ...head, version, isForced: false, files: [file], ...part }
  }

  /** The reported steps. */
  get steps(): string[] {
    return this.#reports.map(({ step }) => step)
  }
  get messages(): string[] {
    return this.#reports.flatMap(({ message }) => message ?? [])
  }
  get #reports() {
    return this.#device.server.events.filter(event => event.kind === 'update')
  }
}
