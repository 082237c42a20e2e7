import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { release } from '@floorcast/contract/release.ts'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { startCaddyFor } from '@floorcast/testing/reverse-proxy.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packServer } from '../../tools/pack-server.ts'
import { ownRoot } from '../../tools/source-files.ts'
import { canMakeMachines, copyNode, makeDebian } from './bare-machine.ts'
import { registerOwner, signInOwner } from './client-fixture.ts'
import { waitUntil } from './processes.ts'
import { fillVariables, readComposeFile } from './server-image.ts'

/*
 * The image, built by buildah from the archive, on a Debian under the names of its bases. Containers do not run where tests do: systemd-nspawn
 * runs the image instead, with what compose.yaml gives the server. Docker and Compose themselves are not tried.
 */

const psql = globSync('/usr/lib/postgresql/*/bin').find(folder => existsSync(join(folder, 'psql')))
const canBuild = canMakeMachines('buildah') && psql !== undefined
const scratch = mkdtempSync(join(tmpdir(), 'floorcast-image-'))
const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  rmSync(scratch, { recursive: true, force: true })
})

const { server } = readComposeFile().services
const page = readFileSync(join(ownRoot, 'docs/operate/container.md'), 'utf8')
const blocks = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, text = '']) => text)

/** Images stay in a folder of the test. */
function buildah(...args: string[]): string {
  const own = ['--root', join(scratch, 'images'), '--storage-driver', 'overlay']
  const { status, stdout, stderr } = spawnSync('buildah', [...own, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`buildah ${args.join(' ')}\n${stdout}\n${stderr}`)
  return stdout.trim()
}

interface ImageParts {
  base: string
  folder: string
  environment?: readonly string[]
}

function makeImage(name: string, { base, folder, environment = [] }: ImageParts): void {
  const container = buildah('from', '--pull-never', base)
  buildah('add', '--quiet', container, folder, '/')
  buildah('config', ...environment.map(each => `--env=${each}`), container)
  buildah('commit', '--quiet', '--rm', container, name)
}

const DEBIAN = 'docker.io/library/debian:bookworm-slim'

function makeBases(): void {
  const [debian, node] = [join(scratch, 'debian'), join(scratch, 'node')]
  makeDebian(debian)
  makeImage(DEBIAN, { base: 'scratch', folder: debian })
  copyNode(node)
  const certificates = process.env['NODE_EXTRA_CA_CERTS']
  const environment = [
    'PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    ...(certificates === undefined ? [] : [`NODE_EXTRA_CA_CERTS=${certificates}`]),
  ]
  makeImage('docker.io/library/node:24-bookworm-slim', { base: DEBIAN, folder: node, environment })
}

interface ImageSettings {
  Env: string[]
  Cmd: string[]
  User: string
  WorkingDir: string
  Healthcheck: { Test: string[] }
}

let root: string
let image: ImageSettings
/** What a person writes for the archive: `.env`. */
let values: Record<string, string>
let port: number
let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>

beforeAll(async () => {
  if (!canBuild) return
  const archive = join(scratch, `floorcast-server-${release.version}.tar.gz`)
  packServer(ownRoot, archive)
  port = await freePort()
  const start = (blocks[0] ?? '')
    .replaceAll('2.776.0', release.version)
    .replace('https://floorcast.example', `http://localhost:${await freePort()}`)
    .replace(/docker compose up .*/, '')
  execFileSync('bash', ['-e', '-c', start], { cwd: scratch })
  const folder = join(scratch, `floorcast-server-${release.version}`)
  values = parseEnv(readFileSync(join(folder, '.env'), 'utf8')) as Record<string, string>

  makeBases()
  buildah(
    'build',
    '--isolation',
    'chroot',
    '--pull-never',
    '--format',
    'docker',
    '--tag',
    'floorcast',
    folder,
  )
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'floorcast')) as {
    Docker: { config: ImageSettings }
  }
  image = Docker.config
  root = buildah('mount', buildah('from', '--pull-never', 'localhost/floorcast'))
  ends.push(() => buildah('rm', '--all'))
  console.log(`image: ${execFileSync('du', ['--summarize', '--total', '-m', root], { encoding: 'utf8' })}`)

  postgres = await startEmbeddedPostgres({ dataDir: join(scratch, 'database') })
  ends.push(() => postgres.stop())
}, 1_800_000)

/** Makes the database of `compose.yaml`, as its PostgreSQL does at its first start. */
async function createDatabase(): Promise<void> {
  await asSuperuser(postgres.superuserUrl, async superuser => {
    await superuser.query('drop database if exists floorcast with (force)')
    const { rows } = await superuser.query<{ name: string }>(
      "select rolname as name from pg_roles where rolname ~ '^floorcast'",
    )
    for (const { name } of rows) {
      await superuser.query(`drop owned by ${name}`)
      await superuser.query(`drop role ${name}`)
    }
  })
  const { username, password, port: at } = new URL(postgres.superuserUrl)
  execFileSync(join(ownRoot, 'ops/postgres/create-database.sh'), {
    env: {
      PATH: `${psql}:/usr/bin:/bin`,
      PGHOST: '127.0.0.1',
      PGPORT: at,
      PGUSER: username,
      PGPASSWORD: password,
      DATABASE_PASSWORD: values['DATABASE_PASSWORD'],
    },
  })
}

/** What compose.yaml gives the server, with the ports of the test. */
function environmentOf(): string[] {
  const given = Object.entries(server.environment).map(
    ([name, text]) =>
      `${name}=${fillVariables(text, values).replace('@database/', `@127.0.0.1:${postgres.port}/`)}`,
  )
  return [...image.Env, ...given, `PORT=${port}`]
}

/** The volumes, which a new container takes from the image. */
function makeVolumes(name: string): Record<'/var/lib/floorcast' | '/backup', string> {
  const make = (path: string) => {
    const volume = join(scratch, name, path)
    mkdirSync(join(volume, '..'), { recursive: true })
    execFileSync('cp', ['--archive', join(root, path), volume])
    return volume
  }
  return { '/var/lib/floorcast': make('/var/lib/floorcast'), '/backup': make('/backup') }
}

/** The command line of a container that runs a command. */
function containerArgs(volumes: Record<string, string>, more: readonly string[] = []): string[] {
  return [
    '--quiet',
    `--directory=${root}`,
    '--register=no',
    '--keep-unit',
    '--pipe',
    '--read-only',
    '--tmpfs=/tmp:mode=1777',
    '--bind-ro=/etc/hosts',
    '--kill-signal=SIGTERM',
    `--user=${image.User.split(':')[0]}`,
    `--chdir=${image.WorkingDir}`,
    '--drop-capability=all',
    '--no-new-privileges=yes',
    ...Object.entries(volumes).map(([path, volume]) => `--bind=${volume}:${path}`),
    ...environmentOf().map(each => `--setenv=${each}`),
    ...more,
  ]
}

function start(volumes: Record<string, string>) {
  const container = spawn('systemd-nspawn', [...containerArgs(volumes), ...image.Cmd], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: string[] = []
  container.stdout.on('data', (data: Buffer) => said.push(data.toString()))
  const ended = once(container, 'exit').then(([code]) => code as number | null)
  /** Resolves with the exit code. */
  const stop = () => {
    if (container.exitCode === null) container.kill('SIGTERM')
    return ended
  }
  ends.push(stop)
  return { said: () => said.join(''), stop }
}

/** Runs a `docker compose exec` or `run` of the page in a container of its own, beside the server's. */
function runCompose(line: string, volumes: Record<string, string>, more: readonly string[] = []): string {
  const command = /^docker compose (?:exec|run) .*?\bserver (.+)$/.exec(line)?.[1]
  if (command === undefined) throw new Error(`${line} is no command in the server's container`)
  const set = [...line.matchAll(/--env (\S+)/g)].map(([, each]) => `--setenv=${each}`)
  const { stdout, stderr, status } = spawnSync(
    'systemd-nspawn',
    [...containerArgs(volumes, [...set, ...more]), ...command.split(' ')],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`${line}\n${stdout}\n${stderr}`)
  return stdout
}
const waitUntilReady = () =>
  waitUntil('the server is ready', async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok)
const linesOf = (block: number) =>
  (blocks[block] ?? '').split('\n').filter(line => /compose (exec|run)/.test(line))

test.skipIf(!canBuild)(
  'the image runs without rights on a file system that it cannot write, behind Caddy, and is backed up and restored',
  async () => {
    await createDatabase()
    const volumes = makeVolumes('first')
    const running = start(volumes)
    await waitUntilReady()
    const site = values['PUBLIC_URL'] ?? ''
    await startCaddyFor(site, `127.0.0.1:${port}`)
    await registerOwner(site)
    await signInOwner(site)
    expect((await fetch(`${site}/agent/floorcast-agent.mjs`)).status).toBe(200)

    expect(image.Healthcheck.Test[0]).toBe('CMD')
    const health = image.Healthcheck.Test.slice(1)
    const inside = (...command: string[]) =>
      spawnSync('systemd-nspawn', [...containerArgs(volumes), ...command], { encoding: 'utf8' })
    expect(inside(...health).status).toBe(0)
    const tried = inside(
      'sh',
      '-c',
      'id -u; for f in /opt/floorcast /usr /var/tmp /tmp /backup; do touch $f/x && echo $f; done',
    )
    expect(tried.stdout.trim().split('\n')).toEqual(['10001', '/tmp', '/backup'])

    const [status = '', check = ''] = linesOf(1)
    expect(runCompose(status, volumes)).toContain(`version     ${release.version} (`)
    expect(runCompose(check, volumes)).toMatch(/^OK {4}caller /m)

    const [backup = '', verify = ''] = linesOf(2)
    rmSync(join(volumes['/backup'], 'x'))
    runCompose(backup, volumes)
    runCompose(verify, volumes)
    expect(await running.stop()).toBe(0)
    expect(running.said()).toContain('"msg":"stopped"')
    expect(inside(...health).status).toBe(1)

    await createDatabase()
    const [restore = ''] = linesOf(3)
    const key = join(scratch, 'secret.key')
    execFileSync('cp', [join(volumes['/var/lib/floorcast'], 'secret.key'), key])
    execFileSync('chown', ['10001', key])
    const empty = { ...makeVolumes('second'), '/backup': volumes['/backup'] }
    runCompose(restore, empty, [`--bind-ro=${key}:/run/secret.key`])
    start(empty)
    await waitUntilReady()
    await signInOwner(site)
  },
  600_000,
)
