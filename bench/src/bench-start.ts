import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Bench } from './bench-types.ts'

const root = resolve(import.meta.dirname, '../..')

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('The probe has no port')
  return address.port
}

interface Start {
  folder: string
  dataDir: string
  env?: NodeJS.ProcessEnv
}

/** Seconds from `npm start` to the first answer of `/health/ready`; the server is stopped before this resolves. */
async function timeStart({ folder, dataDir, env = process.env }: Start): Promise<number> {
  const port = await freePort()
  const settings = {
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '0',
  }
  const startedAt = performance.now()
  const npm = spawn('npm', ['start'], { cwd: folder, env: { ...env, ...settings }, stdio: ['ignore', 2, 2] })
  const ended = once(npm, 'exit')
  try {
    for (;;) {
      if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`)
      const isReady = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
        answer => answer.ok,
        () => false,
      )
      if (isReady) return (performance.now() - startedAt) / 1000
      await new Promise(next => setTimeout(next, 10))
    }
  } finally {
    npm.kill('SIGTERM')
    await ended
  }
}

/** Times a clone with an empty home folder, without settings and caches of npm, on the machine's Node. */
async function timeFreshClone(base: string): Promise<number> {
  const clone = join(base, 'clone')
  const path = (process.env['PATH'] ?? '').split(':').filter(folder => !folder.startsWith(root))
  const env = { HOME: join(base, 'home'), PATH: path.join(':') }
  const startedAt = performance.now()
  const cloned = spawnSync('git', ['clone', '--quiet', root, clone], { stdio: ['ignore', 2, 2] })
  if (cloned.status !== 0) throw new Error(`git clone of ${root} ended with ${cloned.status}`)
  const cloneSeconds = (performance.now() - startedAt) / 1000
  return cloneSeconds + (await timeStart({ folder: clone, dataDir: join(base, 'clone-data'), env }))
}

async function run(args: readonly string[]): Promise<Record<string, number>> {
  const base = mkdtempSync(join(tmpdir(), 'floorcast-bench-'))
  const dataDir = join(base, 'data')
  try {
    const emptySeconds = await timeStart({ folder: root, dataDir })
    const warmSeconds = await timeStart({ folder: root, dataDir })
    const fresh = args.includes('--fresh') ? { freshSeconds: await timeFreshClone(base) } : {}
    return { emptySeconds, warmSeconds, ...fresh }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

const bench: Bench = {
  name: 'start',
  what: 'From npm start to the first answered request; --fresh adds a fresh clone',
  options: ['--fresh'],
  figures: {
    emptySeconds: { what: 'installed, empty data folder', unit: 's', atMost: 3 },
    warmSeconds: { what: 'installed, database already there', unit: 's', atMost: 3 },
    freshSeconds: { what: 'git clone, install, build, start', unit: 's' },
  },
  run,
}
export default bench
