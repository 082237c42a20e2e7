import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeClient } from '@floorcast/contract/client.ts'
import { openDeviceSession, readManifest, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { addGroup, editGroup } from '@floorcast/contract/groups.ts'
import { changePublicationState } from '@floorcast/contract/publications.ts'
import { release } from '@floorcast/contract/release.ts'
import { sampleHeartbeat } from '../bench/src/sample-heartbeat.ts'
import { createdUid, publishToDevice, registerOwner, uploadFile } from '../e2e/src/client-fixture.ts'
import { writeSongs } from '../testing/src/media-song.ts'
import { ownRoot } from './source-files.ts'

/*
 * `npm run measure-walks`: the files of the server whose functions run between a call and its answer, by V8's precise coverage of a
 * running server. What runs without a call is left out, and so are worker threads. Writes the table of docs/data-flow.md.
 */

const PAGE = 'docs/data-flow.md'
const BEGIN = '<!-- measured by npm run measure-walks -->'
const END = '<!-- end -->'
/** Work that a call leaves for after its answer is not part of its walk, nor is idle work of this time. */
const IDLE_MS = 3000
/** A first call loads code and fills caches. */
const TRIES = 3

interface Covered {
  result: {
    url: string
    functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[]
  }[]
}

/** The inspector of a process. */
class Inspector {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (result: unknown) => void>()
  #sent = 0

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown }
      if (id !== undefined) this.#waiting.get(id)?.(result)
    })
  }

  static async connect(url: string): Promise<Inspector> {
    const socket = new WebSocket(url)
    await once(socket, 'open')
    const inspector = new Inspector(socket)
    await inspector.send('Profiler.enable')
    await inspector.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    return inspector
  }

  send(method: string, params: object = {}): Promise<unknown> {
    const id = (this.#sent += 1)
    this.#socket.send(JSON.stringify({ id, method, params }))
    return new Promise(resolve => this.#waiting.set(id, resolve))
  }

  /** The functions of this repository that ran since the last time, as `file:offset`. */
  async takeCovered(): Promise<Set<string>> {
    const { result } = (await this.send('Profiler.takePreciseCoverage')) as Covered
    const own = result.filter(
      ({ url }) => url.startsWith(`file://${ownRoot}/`) && !url.includes('/node_modules/'),
    )
    return new Set(
      own.flatMap(({ url, functions }) =>
        functions.flatMap(({ ranges: [range] }) =>
          range && range.count > 0
            ? [`${fileURLToPath(url).slice(ownRoot.length + 1)}:${range.startOffset}`]
            : [],
        ),
      ),
    )
  }

  close(): void {
    this.#socket.close()
  }
}

/** Waits for the lines of a program that match the patterns. */
function hear(server: ChildProcess, patterns: readonly RegExp[]): Promise<string[]> {
  let said = ''
  return new Promise((resolve, reject) => {
    const read = (data: Buffer) => {
      said += data.toString()
      const found = patterns.flatMap(pattern => pattern.exec(said)?.[1] ?? [])
      if (found.length === patterns.length) resolve(found)
    }
    for (const stream of [server.stdout, server.stderr]) stream?.on('data', read)
    server.once('exit', () => reject(new Error(`The server ended:\n${said}`)))
  })
}

interface Walk {
  name: string
  /** Prepares each try, and is not measured. */
  before?: () => Promise<unknown>
  work: () => Promise<unknown>
}

/** A client with a device and a publication, and what is measured on them. */
async function prepareWalks(url: string, folder: string): Promise<Walk[]> {
  const owner = await registerOwner(url)
  const { call } = owner
  const [song, ...more] = await writeSongs(folder, { count: TRIES + 1, seconds: 2 })
  if (!song) throw new Error('There is no song')
  const { deviceUid, licenseKey, publicationUid } = await publishToDevice(owner, [song])
  const body = { licenseKey, boxId: randomUUID(), model: 'walk', version: release.version }
  const { token } = await makeClient({ base: url, token: () => null })(openDeviceSession, { body })
  const player = makeClient({ base: url, token: () => token })
  const group = createdUid(
    await call(addGroup, { params: { contentType: 'audio' }, body: { name: 'Closed shops' } }),
  )
  const turn = (from: 'disabled' | 'active') =>
    call(changePublicationState, { params: { id: publicationUid }, query: { from } })
  return [
    { name: 'heartbeat of a device', work: () => player(sendHeartbeat, { body: sampleHeartbeat }) },
    {
      name: 'manifest of a device',
      work: () => player(readManifest, { params: { playpointid: deviceUid } }),
    },
    {
      name: 'upload of an MP3 by form',
      work: () => uploadFile(owner, 'melodies', more.shift()?.path ?? ''),
    },
    {
      name: 'rename of a group',
      work: () => call(editGroup, { body: { uid: group, name: `Closed shops ${randomUUID()}` } }),
    },
    {
      name: 'first page of the devices, with a search',
      work: () => call(listDevices, { query: { search: 'till' } }),
    },
    { name: 'publication that is turned on', before: () => turn('active'), work: () => turn('disabled') },
  ]
}

const fileOf = (covered: string) => covered.replace(/:\d+$/, '')

/** The files of the last try, without what runs by itself. */
async function measure(inspector: Inspector, { before, work }: Walk, idle: ReadonlySet<string>) {
  let ran = new Set<string>()
  for (let tries = 0; tries < TRIES; tries += 1) {
    await before?.()
    await pause(500)
    await inspector.takeCovered()
    await work()
    ran = await inspector.takeCovered()
  }
  return [...new Set([...ran].filter(covered => !idle.has(covered)).map(fileOf))].toSorted()
}

const FEATURES = /^apps\/server\/src\/features\/(.+)$/
const PLATFORM = /^apps\/server\/src\/platform\//

function toRow(name: string, files: readonly string[]): string {
  const features = files.flatMap(file => FEATURES.exec(file)?.[1] ?? [])
  const platform = files.filter(file => PLATFORM.test(file)).length
  return `| ${name} | ${files.length} | ${platform} | ${features.length} | ${features.map(file => `\`${file}\``).join(', ')} |`
}

function writeTable(rows: readonly string[]): void {
  const path = join(ownRoot, PAGE)
  const page = readFileSync(path, 'utf8')
  const [head = '', tail = ''] = [page.split(BEGIN)[0], page.split(END)[1]]
  const table = [
    '| call | files | of platform | of features | these |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ]
  writeFileSync(path, `${head}${BEGIN}\n\n${table.join('\n')}\n\n${END}${tail}`)
}

const folder = mkdtempSync(join(tmpdir(), 'floorcast-walks-'))
const server = spawn(process.execPath, ['--inspect=127.0.0.1:0', 'apps/server/src/main.ts'], {
  cwd: ownRoot,
  env: {
    PATH: process.env['PATH'],
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '0',
  },
  stdio: ['ignore', 'pipe', 'pipe'],
})
try {
  const ended = once(server, 'exit')
  const [inspected = '', url = ''] = await hear(server, [
    /Debugger listening on (ws:\S+)/,
    /Floorcast is at (http:\S+)/,
  ])
  const walks = await prepareWalks(url, folder)
  const inspector = await Inspector.connect(inspected)
  await inspector.takeCovered()
  await pause(IDLE_MS)
  const idle = await inspector.takeCovered()
  const rows: string[] = []
  for (const walk of walks) rows.push(toRow(walk.name, await measure(inspector, walk, idle)))
  inspector.close()
  writeTable(rows)
  console.log(rows.join('\n'))
  server.kill('SIGTERM')
  await ended
} finally {
  server.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
