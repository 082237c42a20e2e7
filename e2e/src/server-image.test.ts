import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { Environment, readSettings } from '@floorcast/server/platform/settings/settings.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'
import { listPackedFiles } from '../../tools/pack-server.ts'
import { ownRoot } from '../../tools/source-files.ts'
import {
  COMPOSE,
  COMPOSE_OF_SEVERAL,
  fillVariables,
  readComposeFile,
  readComposeOfSeveral,
  readImageFile,
  readVariables,
} from './server-image.ts'

/* Dockerfile and compose.yaml, and the image's commands outside of a container. */

const image = readImageFile()
const compose = readComposeFile()
const { server, database, proxy } = compose.services
const read = (file: string) => readFileSync(join(ownRoot, file), 'utf8')
const packed = listPackedFiles(ownRoot)
/** What pack-server.ts writes. */
const WRITTEN = ['.commit', 'package.json', 'package-lock.json']
const isPacked = (source: string) =>
  WRITTEN.includes(source) || packed.some(file => file === source || file.startsWith(`${source}/`))
/** Of Node and the shell. */
const NO_SETTINGS = ['PATH', 'NODE_ENV', 'NODE_OPTIONS']
const settingsOf = (names: Record<string, string>) =>
  Object.keys(names).filter(name => !NO_SETTINGS.includes(name))

test('the image is made of what the archive has, and has settings that the server reads', () => {
  expect(image.sources.length).toBeGreaterThan(4)
  expect(image.sources.filter(source => !isPacked(source))).toEqual([])
  expect(packed).toEqual(expect.arrayContaining(['Dockerfile', '.dockerignore', 'compose.yaml']))
  expect(isPacked(image.command[1] ?? '')).toBe(true)
  expect(settingsOf(image.environment).filter(name => !(name in Environment.shape))).toEqual([])
  const { port, dataDir } = readSettings(image.environment)
  expect({ port: String(port), volume: dataDir }).toEqual({ port: image.port, volume: image.volume })
  // Without the rights of root, by number: Kubernetes asks for it.
  expect(image.user).toMatch(/^[1-9]\d+:[1-9]\d+$/)
})

test("each link of an operator's page leads to what the archive has", () => {
  const pages = packed.filter(file => /^docs\/operate\/.*\.md$/.test(file))
  expect(pages.length).toBeGreaterThan(9)
  const targets = pages.flatMap(page =>
    [...read(page).matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)].map(([, link = '']) => join('docs/operate', link)),
  )
  expect(targets).toContain('docs/manual/server.md')
  expect(targets.filter(target => !isPacked(target))).toEqual([])
})

test('compose.yaml agrees with the image, the settings, the proxy and its page', () => {
  expect(Object.keys(server.environment).filter(name => !(name in Environment.shape))).toEqual([])
  const values = { PUBLIC_URL: 'https://floorcast.example', DATABASE_PASSWORD: 'p', SUPERUSER_PASSWORD: 's' }
  const filled = Object.entries(server.environment).map(([name, text]): [string, string] => [
    name,
    fillVariables(text, values),
  ])
  const settings = readSettings({ ...image.environment, ...Object.fromEntries(filled) })
  expect(settings).toMatchObject({ publicUrl: values.PUBLIC_URL, trustProxy: 1, host: '0.0.0.0' })
  expect(new URL(settings.databaseUrl ?? '')).toMatchObject({ hostname: 'database', port: '', password: 'p' })

  // The page's .env has what is demanded, and nothing else.
  const file = /cat > \.env\) <<FILE\n([^]*?)FILE\n/.exec(read('docs/operate/container.md'))?.[1] ?? ''
  const demanded = readVariables(COMPOSE).filter(({ isDemanded }) => isDemanded)
  expect(new Set(demanded.map(({ name }) => name))).toEqual(new Set(Object.keys(parseEnv(file))))

  // The proxy forwards to the server, by the names that its file has.
  expect(proxy.environment['SERVER']).toBe(`server:${image.port}`)
  const asked = [...read('ops/caddy/Caddyfile').matchAll(/\{\$(\w+):/g)].map(([, name = '']) => name)
  expect(asked.toSorted()).toEqual(Object.keys(proxy.environment).toSorted())

  expect(server.depends_on).toEqual({ database: { condition: 'service_healthy' } })
  expect(database.healthcheck?.test).toEqual(expect.arrayContaining(['--dbname=floorcast']))
  // Files of the archive, and volumes that are declared.
  const sources = Object.values(compose.services).flatMap(({ volumes }) =>
    volumes.map(volume => fillVariables(volume, {}).split(':')[0] ?? ''),
  )
  const isThere = (source: string) =>
    source.startsWith('./') ? isPacked(source.slice(2)) : source in compose.volumes
  expect(sources.filter(source => !isThere(source))).toEqual([])
  expect(server.volumes).toContain(`data:${image.volume}`)

  expect(server).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] })
  const unit = read('ops/systemd/floorcast.service')
  expect(unit).toContain(`\nLimitNOFILE=${server.ulimits?.nofile}\n`)
  const graceSeconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])
  expect(server.stop_grace_period).toBe(`${graceSeconds}s`)
  // .env.example says that a stop takes 20 s beside DRAIN_SECONDS.
  expect(graceSeconds).toBeGreaterThanOrEqual(Environment.parse({}).DRAIN_SECONDS + 20)
  const heap = Number(/--max-old-space-size=(\d+)/.exec(image.environment['NODE_OPTIONS'] ?? '')?.[1])
  expect(server.mem_limit).toBe(`${(2 * heap) / 1024}g`)
})

test('several servers in containers share what they have to share, and agree with compose.yaml and their page', () => {
  const several = readComposeOfSeveral()
  const { 'server-one': one, 'server-two': two, standby, store } = several.services
  const values = {
    PUBLIC_URL: 'https://floorcast.example',
    DATABASE_PASSWORD: 'p',
    SUPERUSER_PASSWORD: 's',
    STANDBY_PASSWORD: 'f',
    STORE_PASSWORD: 'store',
  }
  const filled = Object.entries(one.environment).map(([name, text]): [string, string] => [
    name,
    fillVariables(text, values),
  ])
  const settings = readSettings({ ...image.environment, ...Object.fromEntries(filled) })
  expect(settings).toMatchObject({
    publicUrl: values.PUBLIC_URL,
    trustProxy: 1,
    host: '0.0.0.0',
    role: 'all',
  })
  expect(settings.s3).toMatchObject({ bucket: 'floorcast', key: { id: 'floorcast', secret: 'store' } })
  expect(store.entrypoint?.at(-1)).toContain(`mkdir -p /data/${settings.s3?.bucket} `)
  expect(fillVariables(store.environment['ROOT_SECRET_ACCESS_KEY'] ?? '', values)).toBe('store')
  expect(new URL(settings.databaseUrl ?? '').hostname).toBe('database')
  expect(new URL(settings.readStandby?.url ?? '').hostname).toBe('standby')
  expect(standby.environment['PRIMARY']).toBe('database')

  // All is the same but the folder; the key is in a volume of both.
  expect({ ...two, volumes: [] }).toEqual({ ...one, volumes: [] })
  const shared = one.volumes.filter(volume => two.volumes.includes(volume))
  expect(shared.map(volume => fillVariables(volume, {}).split(':')[1])).toContain(
    dirname(settings.secretKeyFile),
  )
  expect(read('Dockerfile')).toContain(` ${dirname(settings.secretKeyFile)} `)
  const { environment: _one, volumes: _volumes, depends_on: _first, ...hardened } = server
  expect(one).toMatchObject(hardened)

  const file = [...read('docs/operate/container.md').matchAll(/cat >>? \.env\)? <<FILE\n([^]*?)FILE\n/g)]
  const asked = file.flatMap(([, lines = '']) => Object.keys(parseEnv(lines)))
  const demanded = readVariables(COMPOSE_OF_SEVERAL).filter(({ isDemanded }) => isDemanded)
  expect(new Set(demanded.map(({ name }) => name))).toEqual(new Set(asked))
  expect(several.services.proxy.environment['SERVERS']).toBe(
    `server-one:${image.port} server-two:${image.port}`,
  )
  const sources = Object.values(several.services).flatMap(({ volumes }) =>
    volumes.map(volume => fillVariables(volume, {}).split(':')[0] ?? ''),
  )
  expect(
    sources.filter(
      source => !(source.startsWith('./') ? isPacked(source.slice(2)) : source in several.volumes),
    ),
  ).toEqual([])
  expect(packed).toContain(COMPOSE_OF_SEVERAL)
})

test('the commands of the image start a server, and tell whether it is ready', async () => {
  const { url } = await testDatabase()
  const port = String(await freePort())
  const environment: Record<string, string> = {
    ...image.environment,
    PORT: port,
    PATH: process.env['PATH'] ?? '',
  }
  const [node, program = ''] = image.command
  expect([node, existsSync(join(ownRoot, program))]).toEqual(['node', true])
  const [checker, ...args] = image.healthCheck
  expect(checker).toBe('node')
  const checkHealth = async () => {
    const check = spawn(process.execPath, args, { env: environment, stdio: 'inherit' })
    return ((await once(check, 'exit')) as [number | null])[0]
  }
  expect(await checkHealth()).toBe(1)
  const { ['DATA_DIR']: _, ...settings } = environment
  const running = startServerProgram({ ...settings, DATABASE_URL: url })
  await running.until(/^Floorcast is at/)
  expect(await checkHealth()).toBe(0)
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(0)
})
