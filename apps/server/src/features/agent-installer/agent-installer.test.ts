import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testServer } from '@floorcast/testing/test-server.ts'
import { makeHttpServer } from '../../platform/http/http-server.ts'
import { afterAll, expect, test } from 'vitest'
import { registerAgentInstaller } from './agent-installer-routes.ts'

const { context } = await testServer()
const folder = mkdtempSync(join(tmpdir(), 'floorcast-agent-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const folders = { installFolder: join(folder, 'install'), bundleFolder: join(folder, 'dist') }
for (const path of Object.values(folders)) mkdirSync(path)
writeFileSync(
  join(folders.installFolder, 'install.sh'),
  'SERVER=\'@FLOORCAST_SERVER@\'\nprintf %s "$SERVER"\n',
)
writeFileSync(join(folders.bundleFolder, 'agent.mjs'), 'export {}\n')
writeFileSync(join(folder, 'secret.mjs'), 'no')

async function serve(streamUrl: string) {
  const origins = { publicUrl: streamUrl, streamUrl, logsUrl: streamUrl }
  const app = await makeHttpServer({ log: context.log, trustProxy: false, origins })
  registerAgentInstaller({ app }, { settings: { ...context.settings, streamUrl } }, folders)
  return (url: string) => app.inject({ url })
}

test('the installer knows the server it came from, whatever is in its address', async () => {
  const url = "https://shop.example/it's$(here)"
  const answer = await (await serve(url))('/agent/install.sh')
  expect(answer.statusCode).toBe(200)
  expect(execFileSync('sh', ['-c', answer.body]).toString()).toBe(url)
})

test('the bundle comes with its hash, as sha256sum reads it', async () => {
  const ask = await serve('https://shop.example')
  const [bundle, hash] = [await ask('/agent/agent.mjs'), await ask('/agent/agent.mjs.sha256')]
  expect(bundle.body).toBe('export {}\n')
  const sha256 = createHash('sha256').update(bundle.rawPayload).digest('hex')
  expect(hash.body).toBe(`${sha256}  agent.mjs\n`)
})

test('nothing else of the disk is served', async () => {
  const ask = await serve('https://shop.example')
  const names = [
    'none.mjs',
    'none.mjs.sha256',
    '..%2Fsecret.mjs',
    '%2e%2e',
    '..%2Fsecret.mjs.sha256',
    '.',
    'a'.repeat(99),
  ]
  for (const name of names) expect((await ask(`/agent/${name}`)).statusCode).toBe(404)
})
