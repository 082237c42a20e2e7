import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { makeDevice, makeGroup } from '@floorcast/testing/factories.ts'
import { faultyLine } from '@floorcast/testing/faulty-line.ts'
import { mp3Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = new URL('../../../', import.meta.url).pathname
const password = 'a long password'
const server = await wholeServer()

/** An integrator's project, with the client of a file. */
let project: string
let environment: Record<string, string>
let client: Awaited<ReturnType<typeof server.newClient>>

const run = (command: string, ...args: string[]) =>
  promisify(execFile)(command, args, { cwd: project, env: { ...process.env, ...environment } })

const CONFIG = {
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    outDir: 'built',
    types: ['node'],
  },
  include: ['*.ts'],
}

/** Compiles a program with the strict options and the declarations of the package, and runs it. */
async function compileAndRun(name: string, text: string): Promise<string> {
  writeFileSync(join(project, `${name}.ts`), text)
  try {
    await run(join(ROOT, 'node_modules/.bin/tsc'))
    return (await run(process.execPath, `built/${name}.js`)).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${stdout}${stderr}`, { cause: error })
  } finally {
    rmSync(join(project, `${name}.ts`))
  }
}

beforeAll(async () => {
  const line = await faultyLine(await server.http.app.listen({ host: '127.0.0.1', port: 0 }))
  client = await server.newClient()
  const GROUP = await makeGroup(client.scope)
  environment = { SERVER: line.url, EMAIL: client.email, PASSWORD: password, GROUP }
  project = mkdtempSync(join(tmpdir(), 'floorcast-integrator-'))
  execFileSync(process.execPath, [join(ROOT, 'tools/build-client.ts')])
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const archive = join(ROOT, `packages/client/dist/floorcast-client-${version}.tgz`)
  copyFileSync(archive, join(project, basename(archive)))
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'shop', private: true, type: 'module' }),
  )
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(CONFIG))
  // A registry that nobody serves: whatever npm wants of it fails.
  await run('npm', 'install', '--offline', '--registry=http://127.0.0.1:9', `./${basename(archive)}`)
  symlinkSync(join(ROOT, 'node_modules/@types'), join(project, 'node_modules/@types'))
  symlinkSync(join(ROOT, 'node_modules/undici-types'), join(project, 'node_modules/undici-types'))
  copyFileSync(mp3Fixtures.mono.path, join(project, 'Evening.mp3'))
})
afterAll(() => {
  rmSync(project, { recursive: true, force: true })
})

test('the package has no dependencies, the version of the release, its license and its README', async () => {
  const folder = join(project, 'node_modules/@floorcast/client')
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const manifest = JSON.parse(read('package.json')) as Record<string, unknown>
  const { release } = await import('@floorcast/contract/release.ts')
  expect(manifest).toMatchObject({
    name: '@floorcast/client',
    version: release.version,
    license: 'Apache-2.0',
  })
  expect(manifest).not.toHaveProperty('dependencies')
  expect(read('LICENSE')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
  expect(read('README.md')).toContain(`floorcast-client-${release.version}.tgz`)
  const served = await fetch(`${environment['SERVER']}/client/floorcast-client.tgz`)
  const archive = readFileSync(join(project, `floorcast-client-${release.version}.tgz`))
  expect(Buffer.from(await served.arrayBuffer()).equals(archive)).toBe(true)
})

test('the example of the README runs as it stands there', async () => {
  const [, example = ''] =
    /```ts\n([\s\S]*?)```/.exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8')) ?? []
  expect(example.trim().split('\n')).toHaveLength(10)
  await makeDevice(client.scope, { name: 'Till radio' })
  expect(await compileAndRun('example', example)).toBe('Till radio\n')
  const output = await compileAndRun(
    'after',
    `import { Floorcast } from '@floorcast/client'
     const { SERVER: url = '', EMAIL: email = '', PASSWORD: password = '' } = process.env
     const floorcast = new Floorcast({ url, signIn: { email, password } })
     for await (const { name, state } of floorcast.publications.list()) console.log(name, state)`,
  )
  expect(output).toBe('Evening active\n')
})

test('a bundler takes the package for a browser, with nothing of Node', async () => {
  writeFileSync(join(project, 'page.js'), "export { Floorcast } from '@floorcast/client'")
  const { build } = await import('vite')
  const built = await build({
    root: project,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, lib: { entry: 'page.js', formats: ['es'] } },
  })
  const [{ output }] = [built].flat() as unknown as [{ output: { code: string; imports: string[] }[] }]
  expect(output).toHaveLength(1)
  expect(output[0]?.imports).toEqual([])
  expect(output[0]?.code).not.toMatch(/node:|browser-external/)
})

test('a strict program compiles only where it handles what was not done, and runs', async () => {
  const output = await compileAndRun(
    'program',
    `import { done, Floorcast, FloorcastError, type DeviceRow, type PublishDraft } from '@floorcast/client'
     const { SERVER: url = '', EMAIL: email = '', PASSWORD: password = '' } = process.env
     const floorcast = new Floorcast({ url, signIn: { email, password } })

     const added = await floorcast.devices.add({ contentType: 'audio', name: 'Shop 12' })
     // @ts-expect-error a refused change has no uid
     added.uid
     if (added.code !== 200) throw new Error(added.reason)
     const uid: string = added.uid
     // @ts-expect-error a kind that there is not
     void (() => floorcast.devices.add({ contentType: 'radio', name: 'Shop 12' }))
     // @ts-expect-error a field that there is not
     void (() => floorcast.devices.list({ conectivity: 'online' }))

     const playlist = done(await floorcast.playlists.add({ contentType: 'audio', name: 'Morning' }))
     const draft: PublishDraft = { playlistUid: playlist.uid, newGroup: { name: 'South', devices: { uids: [uid] } } }
     const published = await floorcast.publications.publish(draft)
     console.log(published.code, published.code === 0 ? published.uid : published.reason)

     const devices: DeviceRow[] = []
     for await (const device of floorcast.devices.list({ search: 'Shop 12' })) devices.push(device)
     const page = await floorcast.devices.list({ size: 1 })
     console.log(devices.map(({ name }) => name), page.size)

     const day = new Date().toISOString().slice(0, 10)
     const report = await floorcast.reports.r3({ from: day, to: day, zone: 'UTC', format: 'csv' })
     console.log(report.headers.get('content-type'), (await report.text()).length > 0)

     try {
       await floorcast.groups.read({ id: uid })
     } catch (error) {
       if (!(error instanceof FloorcastError)) throw error
       if (error.code === 'not-found') console.log(error.status, error.requestId !== null)
     }
    `,
  )
  expect(output.trim().split('\n')).toEqual([
    '-2 playlist-empty',
    "[ 'Shop 12' ] 1",
    expect.stringMatching(/^text\/csv.* true$/),
    '404 true',
  ])
})
