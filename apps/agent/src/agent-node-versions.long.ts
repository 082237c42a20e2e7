import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { AgentFixture } from '@floorcast/testing/agent-process.ts'
import { readBundle } from '@floorcast/testing/agent-updates.ts'
import { deviceTest } from '@floorcast/testing/device-fixture.ts'
import { beforeAll, expect, onTestFinished } from 'vitest'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../install/install.sh', import.meta.url))
const bundle = fileURLToPath(new URL('../dist/floorcast-agent.mjs', import.meta.url))

const partsOf = (version: string) => version.split('.').map(Number) as [number, number, number]

/** Each of their lines had a node:sqlite of its own, before what the newest ones have. */
const FORMER = ['22.16.0', '22.19.0', '24.0.2', '24.4.1']

/** The versions that the installer takes: the oldest, the newest of each line, and those before them. */
async function listVersions(): Promise<string[]> {
  const oldest = /^MIN_NODE_VERSION='(.*)'$/m.exec(await readFile(script, 'utf8'))?.[1] ?? ''
  const { stdout } = await run('npm', ['view', 'node', 'versions', '--json'])
  const newest = new Map<number, string>()
  const published = (JSON.parse(stdout) as string[]).filter(version => /^[\d.]+$/.test(version))
  for (const version of published) {
    const [major, minor, patch] = partsOf(version)
    const [, bestMinor, bestPatch] = partsOf(newest.get(major) ?? `${major}.0.0`)
    if (minor > bestMinor || (minor === bestMinor && patch >= bestPatch)) newest.set(major, version)
  }
  const lines = [...newest].filter(([major]) => major >= partsOf(oldest)[0]).map(([, version]) => version)
  return [...new Set([oldest, ...FORMER, ...lines])]
}

/** Installs a Node of the npm registry. Returns its path. */
async function installNode(version: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'floorcast-node-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'package.json'), '{"allowScripts":{"node":true}}')
  await run('npm', ['install', `node@${version}`, '--no-audit', '--no-fund'], { cwd: folder })
  const node = join(folder, 'node_modules/node/bin/node')
  expect((await run(node, ['--version'])).stdout.trim()).toBe(`v${version}`)
  return node
}

beforeAll(() => void readBundle())

for (const version of await listVersions())
  deviceTest(
    `On Node ${version} the bundle passes its self-test, plays, reports and starts again`,
    async ({ device }) => {
      const node = await installNode(version)
      await run(node, [bundle, '--self-test'])
      device.publish([device.addSong(1, 1)])
      const agent = new AgentFixture(device.agent.dataDir, bundle)
      for (const plays of [2, 4]) {
        const started = agent.start(device.server.url, { node, args: ['--supervise', '--heartbeat', '1'] })
        await device.until(() => expect(device.ofResult('complete').length).toBeGreaterThanOrEqual(plays))
        expect(await started.kill('SIGTERM')).toBe(0)
      }
    },
  )
