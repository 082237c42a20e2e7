import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { canMakeMachines, copyNode, makeDebian, makeFolderOf } from './bare-machine.ts'
import { waitUntil } from './processes.ts'

/*
 * The two commands of the README on a bare Debian 12 with Node 20, npm and git: nothing of this machine's programs is there. Needs
 * root, and the Debian packages debootstrap and systemd-container.
 */

const here = fileURLToPath(new URL('../..', import.meta.url))
const PROJECT = '/root/floorcast'
const HOURS_MS = 3_600_000

const folder = mkdtempSync(join(tmpdir(), 'floorcast-fresh-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A Debian with this machine's Node and certificates, and a clone of the project. */
function makeMachine(root: string): void {
  makeDebian(root, ['git'])
  copyNode(root)
  const into = makeFolderOf(root)
  // An installer writes them; debootstrap does not.
  appendFileSync(
    into('/etc/apt/sources.list'),
    'deb http://deb.debian.org/debian-security bookworm-security main\n',
  )
  writeFileSync(into('/etc/hosts'), '127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n')
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', here, into(PROJECT)])
}

/** Starts a command of the shell in the machine, which shares this one's network. */
function start(root: string, limits: readonly string[], command: string) {
  const certificates = process.env['NODE_EXTRA_CA_CERTS']
  const child = spawn(
    'systemd-nspawn',
    [
      '--quiet',
      `--directory=${root}`,
      '--register=no',
      '--keep-unit',
      '--as-pid2',
      '--pipe',
      ...limits,
      ...(certificates === undefined ? [] : [`--setenv=NODE_EXTRA_CA_CERTS=${certificates}`]),
      '/bin/sh',
      '-c',
      `cd ${PROJECT} && ${command}`,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output.push(data.toString())
      // It takes half an hour: one who waits sees how far it is.
      process.stderr.write(data)
    })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return {
    ended,
    output: () => output.join(''),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/**
 * Tests both commands on a machine of its own.
 * @param limits options of systemd-nspawn
 */
export function testFreshMachine(limits: readonly string[]): void {
  test.skipIf(!canMakeMachines())(
    'both commands work on a bare Debian',
    { timeout: 2 * HOURS_MS },
    async () => {
      const root = mkdtempSync(join(folder, 'debian-'))
      // Its root folder: PostgreSQL runs as another user.
      chmodSync(root, 0o755)
      makeMachine(root)

      const server = start(root, limits, 'PORT=0 npm start')
      const readAddress = () => /Floorcast is at (http:\S+)/.exec(server.output())?.[1]
      await Promise.race([
        waitUntil('the server is ready', async () => readAddress() !== undefined, 600),
        server.ended.then(code => expect.fail(`npm start ended with ${code}: ${server.output()}`)),
      ])
      const url = readAddress() ?? ''
      expect(await (await fetch(`${url}/health/ready`)).json()).toEqual({ status: 'ready' })
      await server.stop()

      const tests = start(root, limits, 'npm test')
      const code = await tests.ended
      expect(code, tests.output().slice(-20_000)).toBe(0)
      rmSync(root, { recursive: true, force: true })
    },
  )
}
