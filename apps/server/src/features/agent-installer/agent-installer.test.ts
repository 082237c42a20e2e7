import { installerPath } from '@floorcast/contract/installer-path.ts'
import { readCatalogue } from '@floorcast/locales/catalogue-files.ts'
import { locales } from '@floorcast/contract/locales.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeHttpServer } from '../../platform/http/http-server.ts'
import { AGENT_FOLDERS, assignTexts, textVariable } from './agent-files.ts'
import { registerAgentInstaller } from './agent-installer-routes.ts'

const { context } = await testServer({ features: [registerAgentInstaller] })
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

async function serve(streamUrl: string, from = folders) {
  const origins = { publicUrl: streamUrl, streamUrl, logsUrl: streamUrl }
  const app = await makeHttpServer({ log: context.log, trustProxy: false, origins })
  registerAgentInstaller({ app }, { settings: { ...context.settings, streamUrl } }, from)
  return (url: string) => app.inject({ url })
}

test('the installer knows the server it came from, whatever is in its address', async () => {
  const url = "https://shop.example/it's$(here)$&"
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

describe('the messages of the installer', async () => {
  const ask = await serve('https://shop.example', AGENT_FOLDERS)
  const scriptIn = async (language: string) => (await ask(installerPath(language))).body
  const textsOf = (code: string) =>
    new Map(
      [...readCatalogue(`packages/locales/catalogues/${code}`)]
        .filter(([key]) => key.startsWith('installer:'))
        .map(([key, text]) => [key.slice('installer:'.length), text]),
    )
  /** Runs a script, by default in a terminal emulator. */
  function run(script: string, args: string[] = [], terminal = 'xterm') {
    const env = { PATH: process.env['PATH'], TERM: terminal }
    return spawnSync('sh', ['-s', '--', ...args], { input: script, env, encoding: 'utf8' })
  }
  /** The texts that the script has where its work would begin. */
  function readTexts(script: string, keys: Iterable<string>, terminal?: string) {
    const values = [...keys].map(key => `"$${textVariable(key)}"`).join(' ')
    const work = script.lastIndexOf('main "$@"')
    return run(`${script.slice(0, work)}printf '%s\\n' ${values}\n`, [], terminal)
      .stdout.trimEnd()
      .split('\n')
  }

  test.each(locales)('are those of the catalogue in $name', async ({ code }) => {
    const [script, texts] = [await scriptIn(code), textsOf(code)]
    expect(spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
    expect(readTexts(script, texts.keys())).toEqual([...texts.values()])
  })

  test.each(locales)('reach the terminal in $name, with their values', async ({ code }) => {
    const [script, texts] = [await scriptIn(code), textsOf(code)]
    for (const text of texts.values())
      expect(text, 'the script fills each value once').not.toMatch(/(\{\{\w+\}\}).*\1/)
    const { status, stderr } = run(script, ['--kee'])
    expect(status).toBe(1)
    const reason = texts.get('unknownOption')?.replace('{{option}}', '--kee') ?? 'no text'
    expect(stderr).toContain(`\n${texts.get('notInstalled')?.replace('{{reason}}', reason)}\n`)
    const help = run(script, ['--help']).stdout
    for (const [key, text] of texts) if (key.startsWith('help')) expect(help).toContain(`  ${text}\n`)
  })

  test('are all in the catalogue, and all of the catalogue are used', async () => {
    const used = (await scriptIn('en')).match(/(?<=\$)TEXT_\w+/g) ?? []
    const known = [...textsOf('en').keys()].map(textVariable)
    expect([...new Set(used)].toSorted()).toEqual(known.toSorted())
  })

  test('are English without a language, and for an unknown one', async () => {
    const english = (await ask('/agent/install.sh')).body
    expect(readTexts(english, ['needsValue'])).toEqual(['{{option}} needs a value'])
    for (const language of ['en', 'xx', 'DE', 'constructor', '..%2Fde', '%27']) {
      const answer = await ask(`/agent/${language}/install.sh`)
      expect([language, answer.statusCode, answer.body]).toEqual([language, 200, english])
    }
  })

  test('are English on a console of Linux that cannot show the language', async () => {
    const firstOn = async (code: string, terminal: string) =>
      readTexts(await scriptIn(code), ['needsValue'], terminal)[0]
    for (const code of ['ar', 'cn']) {
      expect(await firstOn(code, 'linux')).toBe('{{option}} needs a value')
      expect(await firstOn(code, '')).toBe(textsOf(code).get('needsValue'))
    }
    expect(await firstOn('de', 'linux')).toBe(textsOf('de').get('needsValue'))
  })

  test('stay texts, whatever is in them', () => {
    const words = [
      `'; touch ${folder}/out; '`,
      `'\\''; touch ${folder}/out; echo '`,
      `$(touch ${folder}/out)\`touch ${folder}/out\``,
      '"$HOME" ${PATH} \\n %s * ~ # ! &',
      "\\'",
      'l’adresse « ici » “da”',
    ]
    const texts = Object.fromEntries(words.map((text, index) => [`text${index}`, text]))
    expect(readTexts(`${assignTexts(texts)}\nmain "$@"`, Object.keys(texts))).toEqual(words)
    expect(existsSync(join(folder, 'out'))).toBe(false)
  })
})
