import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const script = readFileSync(fileURLToPath(new URL('install.sh', import.meta.url)), 'utf8')
/** Replaces the bundle and prints its arguments. */
const BUNDLE = 'console.log(process.argv.slice(2).join(" "), process.env.FLOORCAST_KEY)\n'

let folder: string
let server: Server
let url: string
let files: Map<string, string | Buffer>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'floorcast install '))
  const hash = createHash('sha256').update(BUNDLE).digest('hex')
  files = new Map<string, string | Buffer>([
    ['/agent/floorcast-agent.mjs', BUNDLE],
    ['/agent/floorcast-agent.mjs.sha256', `${hash}  floorcast-agent.mjs\n`],
  ])
  server = createServer((request, response) => {
    const body = files.get(request.url ?? '')
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = address && typeof address === 'object' ? `http://127.0.0.1:${address.port}` : ''
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the script as `curl | sh` does, by default with the project's Node first in PATH. */
async function install(args: string[], path = `${dirname(process.execPath)}:${process.env['PATH']}`) {
  const child = spawn('sh', ['-s', '--', ...args], { env: { ...process.env, PATH: path } })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => output.push(data.toString()))
  child.stdin.end(script.replaceAll('@FLOORCAST_SERVER@', url))
  const [code] = (await once(child, 'close')) as [number]
  return { code, output: output.join('') }
}
const installed = (path: string) => join(folder, path)

test('installs the bundle, its settings, which only their owner can read, and a service that uses them', async () => {
  const { code, output } = await install(['--key', 'ABCD-1234', '--audio', 'null', '--prefix', folder])
  expect(output).toContain('Installed below')
  expect(code).toBe(0)
  expect(readFileSync(installed('opt/floorcast-agent/floorcast-agent.mjs'), 'utf8')).toBe(BUNDLE)
  const settings = installed('etc/floorcast-agent.env')
  expect(readFileSync(settings, 'utf8')).toBe(
    `FLOORCAST_SERVER=${url}\nFLOORCAST_KEY=ABCD-1234\nFLOORCAST_AUDIO=null\n`,
  )
  expect(statSync(settings).mode & 0o777).toBe(0o600)
  const unit = readFileSync(installed('etc/systemd/system/floorcast-agent.service'), 'utf8')
  expect(unit).toMatch(/^ExecStart=\S+ .*\/opt\/floorcast-agent\/floorcast-agent\.mjs$/m)
  expect(unit).toContain('RestartPreventExitStatus=2 3 4')
})

test('a bundle with a wrong hash is not installed', async () => {
  files.set('/agent/floorcast-agent.mjs', `${BUNDLE}\n`)
  const { code, output } = await install(['--key', 'ABCD-1234', '--prefix', folder])
  expect(code).toBe(1)
  expect(output).toContain("the agent's hash is not the server's")
  expect(() => statSync(installed('opt/floorcast-agent/floorcast-agent.mjs'))).toThrow('ENOENT')
})

test('reports missing and wrong arguments', async () => {
  expect((await install(['--prefix', folder])).output).toContain('the license key is missing')
  expect((await install(['--key', 'A B', '--prefix', folder])).output).toContain('invalid characters')
  expect((await install(['--kee', 'A'])).output).toContain('unknown option --kee')
  const nowhere = await install(['--key', 'A', '--server', 'http://127.0.0.1:1', '--prefix', folder])
  expect(nowhere).toMatchObject({
    code: 1,
    output: expect.stringContaining('is the address right?') as string,
  })
})

test('downloads Node if the installed one is too old, and refuses a wrong hash', async () => {
  const tools = installed('tools')
  await mkdir(tools)
  // A PATH with all programs of the script except Node.
  const names =
    'sh curl sha256sum mpv uname tar gzip install mkdir mktemp rm mv cat grep dirname id env'.split(' ')
  for (const name of names) await linkTool(name, tools)
  const without = await install(['--key', 'A', '--prefix', folder, '--node-mirror', `${url}/node`], tools)
  expect(without.output).toContain('could not be fetched')
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64'
  const archive = `node-v24.21.0-linux-${arch}.tar.gz`
  const base = '/node/v24.21.0'
  const bytes = await packNode(folder, archive)
  files.set(`${base}/${archive}`, bytes)
  files.set(`${base}/SHASUMS256.txt`, `${'0'.repeat(64)}  ${archive}\n`)
  const wrong = await install(['--key', 'A', '--prefix', folder, '--node-mirror', `${url}/node`], tools)
  expect(wrong.output).toContain('is not the published one')
  files.set(`${base}/SHASUMS256.txt`, `${createHash('sha256').update(bytes).digest('hex')}  ${archive}\n`)
  const right = await install(['--key', 'A', '--prefix', folder, '--node-mirror', `${url}/node`], tools)
  expect(right.output).toContain('Installed below')
  expect(right.output).toContain('/opt/floorcast-agent/node/bin/node ')
})

async function run(command: string, args: string[]): Promise<string> {
  const child = spawn(command, args)
  const output: string[] = []
  child.stdout.on('data', (data: Buffer) => output.push(data.toString()))
  await once(child, 'close')
  return output.join('').trim()
}

async function linkTool(name: string, tools: string): Promise<void> {
  const path = await run('sh', ['-c', `command -v ${name}`])
  await run('ln', ['-s', path, join(tools, name)])
}

/** An archive with the layout of Node's own; its binary is a script that calls the tests' Node. */
async function packNode(where: string, archive: string): Promise<Buffer> {
  const bin = join(where, 'pack/node/bin')
  await mkdir(bin, { recursive: true })
  await run('sh', [
    '-c',
    `printf '#!/bin/sh\\nexec "%s" "$@"\\n' '${process.execPath}' > '${bin}/node'; chmod +x '${bin}/node'`,
  ])
  await run('tar', ['-czf', join(where, archive), '-C', join(where, 'pack'), 'node'])
  return readFileSync(join(where, archive))
}
