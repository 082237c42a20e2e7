import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const script = readFileSync(fileURLToPath(new URL('install.sh', import.meta.url)), 'utf8')
/** Replaces the bundle and prints its arguments. */
const BUNDLE = 'console.log(process.argv.slice(2).join(" "))\n'

let folder: string
let server: Server
let url: string
let files: Map<string, string | Buffer>
let requests: string[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'floorcast install '))
  const hash = createHash('sha256').update(BUNDLE).digest('hex')
  files = new Map<string, string | Buffer>([
    ['/agent/floorcast-agent.mjs', BUNDLE],
    ['/agent/floorcast-agent.mjs.sha256', `${hash}  floorcast-agent.mjs\n`],
  ])
  requests = []
  server = createServer((request, response) => {
    requests.push(request.url ?? '')
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

const ownNodeFirst = `${dirname(process.execPath)}:${process.env['PATH']}`

/**
 * Runs the script as `curl | sh` does, by default with the project's Node first in PATH. The server of the tests has no
 * certificate, so every run but those about it is `--insecure`.
 */
const install = (args: string[], path = ownNodeFirst) => runScript(script, ['--insecure', ...args], path)

async function runScript(text: string, args: string[], path = ownNodeFirst) {
  const child = spawn('sh', ['-s', '--', ...args], { env: { ...process.env, PATH: path } })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => output.push(data.toString()))
  child.stdin.on('error', () => undefined) // the shell may end before it has read all
  child.stdin.end(text.replaceAll('@FLOORCAST_SERVER@', url))
  const [code] = (await once(child, 'close')) as [number]
  return { code, output: output.join('') }
}
const installed = (path: string) => join(folder, path)

test('installs the bundle, its settings, which only their owner can read, and a service that uses them', async () => {
  const { code, output } = await install(['--key', 'ABCD-1234', '--audio', 'null', '--prefix', folder])
  expect(output).toContain('Installed below')
  expect(code).toBe(0)
  expect(readFileSync(installed('opt/floorcast-agent/floorcast-agent.mjs'), 'utf8')).toBe(BUNDLE)
  const [settings, keyFile] = [installed('etc/floorcast-agent.env'), installed('etc/floorcast-agent.key')]
  expect(readFileSync(settings, 'utf8')).toBe(
    `FLOORCAST_SERVER=${url}\nFLOORCAST_KEY_FILE=${keyFile}\nFLOORCAST_AUDIO=null\n`,
  )
  expect(readFileSync(keyFile, 'utf8')).toBe('ABCD-1234\n')
  expect([settings, keyFile].map(path => statSync(path).mode & 0o777)).toEqual([0o600, 0o600])
  const unit = readFileSync(installed('etc/systemd/system/floorcast-agent.service'), 'utf8')
  expect(unit).toMatch(
    /^ExecStart=\S+ --use-system-ca .*\/opt\/floorcast-agent\/floorcast-agent\.mjs --supervise$/m,
  )
  expect(unit).toContain('RestartPreventExitStatus=2 3 4')
  expect(unit).not.toContain('ABCD-1234')
  expect(unit.split('\n')).toEqual(
    expect.arrayContaining([
      'NoNewPrivileges=yes',
      'CapabilityBoundingSet=',
      'ProtectSystem=strict',
      'SystemCallFilter=@system-service',
      'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
      `ReadWritePaths=${installed('var/lib/floorcast-agent')}`,
    ]),
  )
})

test('the key for updates is a setting, which an upgrade keeps with the install command; earlier updates are removed', async () => {
  const publicKey = 'A'.repeat(43) + '='
  const settings = installed('etc/floorcast-agent.env')
  const first = await install(['--key', 'ABCD-1234', '--update-key', publicKey, '--prefix', folder])
  expect(first.code).toBe(0)
  const own = 'FLOORCAST_INSTALL_COMMAND=/usr/local/bin/install-player --quiet'
  writeFileSync(settings, `${readFileSync(settings, 'utf8')}${own}\n`)
  const updates = installed('var/lib/floorcast-agent/updates')
  await mkdir(updates)
  expect((await install(['--key', 'ABCD-1234', '--prefix', folder])).code).toBe(0)
  const lines = readFileSync(settings, 'utf8').split('\n')
  expect(lines).toEqual(expect.arrayContaining([`FLOORCAST_UPDATE_KEY=${publicKey}`, own]))
  expect(existsSync(updates)).toBe(false)
  const wrong = await install(['--key', 'ABCD-1234', '--update-key', 'a key', '--prefix', folder])
  expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('the update key has invalid')])
})

test('an upgrade keeps what the operator added to the settings, and closes them to others', async () => {
  const settings = installed('etc/floorcast-agent.env')
  await mkdir(dirname(settings), { recursive: true })
  writeFileSync(settings, 'FLOORCAST_SERVER=http://a.example\nFLOORCAST_KEY=OLD-1\nDISPLAY=:0\n', {
    mode: 0o644,
  })
  expect((await install(['--key', 'ABCD-1234', '--prefix', folder])).code).toBe(0)
  expect(readFileSync(settings, 'utf8')).toBe(
    `FLOORCAST_SERVER=${url}\nFLOORCAST_KEY_FILE=${installed('etc/floorcast-agent.key')}\nDISPLAY=:0\n`,
  )
  expect(statSync(settings).mode & 0o777).toBe(0o600)
})

test('without a key it keeps the one of the machine, and its audio output', async () => {
  const [settings, keyFile] = [installed('etc/floorcast-agent.env'), installed('etc/floorcast-agent.key')]
  const publicKey = 'A'.repeat(43) + '='
  expect((await install(['--key', 'ABCD-1234', '--audio', 'alsa', '--prefix', folder])).code).toBe(0)
  expect((await install(['--update-key', publicKey, '--prefix', folder])).code).toBe(0)
  expect(readFileSync(keyFile, 'utf8')).toBe('ABCD-1234\n')
  expect(readFileSync(settings, 'utf8').split('\n')).toEqual(
    expect.arrayContaining([`FLOORCAST_UPDATE_KEY=${publicKey}`, 'FLOORCAST_AUDIO=alsa']),
  )
  await rm(keyFile)
  writeFileSync(settings, 'FLOORCAST_SERVER=http://a.example\nFLOORCAST_KEY=OLD-1\n')
  expect((await install(['--prefix', folder])).code).toBe(0)
  expect(readFileSync(keyFile, 'utf8')).toBe('OLD-1\n')
})

test('a script that arrives only in part does nothing', async () => {
  const cuts = Array.from({ length: 40 }, (_, part) => Math.floor((script.length * part) / 40))
  const lastLine = script.trimEnd().lastIndexOf('main')
  for (const length of [...cuts, lastLine, lastLine + 2])
    await runScript(script.slice(0, length), ['--insecure', '--key', 'ABCD-1234', '--prefix', folder])
  expect(requests).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

test('refuses addresses without encryption unless it is told', async () => {
  const args = ['--key', 'ABCD-1234', '--prefix', folder]
  const plain = await runScript(script, args)
  expect(plain).toMatchObject({ code: 1, output: expect.stringContaining('is not encrypted') as string })
  const mirror = await runScript(script, [...args, '--server', 'https://a.example', '--node-mirror', url])
  expect(mirror.output).toContain(`${url} is not encrypted`)
  expect(requests).toEqual([])
})

test('a bundle with a wrong hash is not installed', async () => {
  files.set('/agent/floorcast-agent.mjs', `${BUNDLE}\n`)
  const { code, output } = await install(['--key', 'ABCD-1234', '--prefix', folder])
  expect(code).toBe(1)
  expect(output).toContain('hash is not the server')
  expect(() => statSync(installed('opt/floorcast-agent/floorcast-agent.mjs'))).toThrow('ENOENT')
})

test('reports missing and wrong arguments', async () => {
  expect((await install(['--prefix', folder])).output).toContain('the licence key is missing')
  expect((await install(['--key', 'A B', '--prefix', folder])).output).toContain('invalid characters')
  expect((await install(['--kee', 'A'])).output).toContain('unknown option --kee')
  const nowhere = await install(['--key', 'A', '--server', 'http://127.0.0.1:1', '--prefix', folder])
  expect(nowhere).toMatchObject({
    code: 1,
    output: expect.stringContaining('is the address right?') as string,
  })
})

test('downloads Node if the installed one is too old, and refuses another than the known one', async () => {
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
  // The mirror cannot vouch for what it brings.
  const hash = createHash('sha256').update(bytes).digest('hex')
  files.set(`${base}/SHASUMS256.txt`, `${hash}  ${archive}\n`)
  const args = ['--insecure', '--key', 'A', '--prefix', folder, '--node-mirror', `${url}/node`]
  const wrong = await runScript(script, args, tools)
  expect(wrong.output).toContain('is not the published one')
  expect(() => statSync(installed('opt/floorcast-agent/node/bin/node'))).toThrow('ENOENT')
  const known = script.replace(/^(NODE_SHA256_\w+=)'[0-9a-f]{64}'$/gm, `$1'${hash}'`)
  const right = await runScript(known, args, tools)
  expect(right.output).toContain('Installed below')
  expect(right.output).toContain('/opt/floorcast-agent/node/bin/node ')
})

test('a Node on which the agent does not run is not taken, and without another one nothing changes', async () => {
  const node = installed('node')
  await mkdir(node)
  // As Node 22.14 was for a former bundle: new enough, and it prints the version.
  const fails = `case "$*" in *--self-test*) echo "column index out of range" >&2; exit 1;; esac`
  writeFileSync(join(node, 'node'), `#!/bin/sh\n${fails}\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 })
  await run('ln', ['-s', 'node', join(node, 'nodejs')])
  const args = ['--key', 'A', '--prefix', folder, '--node-mirror', `${url}/node`]
  const path = `${node}:${process.env['PATH']}`
  expect((await install(args, path)).output).toContain('could not be fetched')
  expect(readdirSync(folder)).toEqual(['node'])
  const archive = `node-v24.21.0-linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}.tar.gz`
  const bytes = await packNode(folder, archive)
  files.set(`/node/v24.21.0/${archive}`, bytes)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const known = script.replace(/^(NODE_SHA256_\w+=)'[0-9a-f]{64}'$/gm, `$1'${hash}'`)
  const right = await runScript(known, ['--insecure', ...args], path)
  expect(right.output).toContain('/opt/floorcast-agent/node/bin/node ')
  expect(right.code).toBe(0)
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
