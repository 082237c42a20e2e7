import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { authenticate, register } from '@floorcast/contract/auth.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import { listMedia, readMediaFile, uploadMedia } from '@floorcast/contract/media.ts'
import { listProofKeys, renewProofKey } from '@floorcast/contract/proof.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { afterAll, expect, test } from 'vitest'

const scratch = mkdtempSync(join(tmpdir(), 'floorcast drill '))
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
})
const [data, target] = [join(scratch, 'data'), join(scratch, 'backups')]
const user = { email: 'olga@example.com', password: 'a long password' }
const song = Buffer.from(makeSong({ notes: [1, 2], seconds: 10 }))

/** Starts a command of an operator in its own process, with these settings alone. */
function begin(
  program: 'backup' | 'restore' | 'admin',
  args: string[],
  environment: Record<string, string> = {},
) {
  const path = fileURLToPath(new URL(`${program}.ts`, import.meta.url))
  const env = { PATH: process.env['PATH'], INIT_CWD: scratch, DATA_DIR: data, ...environment }
  return spawn(process.execPath, [path, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function endOf(child: ReturnType<typeof begin>) {
  const [said, complained, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, said, complained }
}

const run = (...args: Parameters<typeof begin>) => endOf(begin(...args))

async function startServer(folder: string) {
  const program = startServerProgram({ DATA_DIR: folder, LOG_LEVEL: 'warn' })
  const [, port] = await program.until(/^Floorcast is at http:\/\/localhost:(\d+)$/)
  const origin = `http://127.0.0.1:${port}`
  const ask = async (path: string, token: string, options: RequestInit = {}) =>
    fetch(`${origin}${path}`, {
      ...options,
      headers: { ...options.headers, authorization: `Bearer ${token}` },
    })
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await ask(path, '', { method: 'POST', headers, body: JSON.stringify(body) })
    return ((await answer.json()) as { data: Record<string, string> }).data
  }
  const stop = async () => {
    program.child.kill('SIGTERM')
    await program.ended
  }
  return { ask, post, stop }
}

type Server = Awaited<ReturnType<typeof startServer>>

async function songsOf({ ask }: Server, token: string) {
  const listed = await ask(buildPath(listMedia.path, { contentType: 'melodies' }), token)
  return ((await listed.json()) as { data: { items: { uid: string; name: string }[] } }).data.items
}

/** One test: each step needs the one before. */
test(
  'an installation is backed up while it runs, and comes back in another folder',
  { timeout: 240_000 },
  async () => {
    const server = await startServer(data)
    const { token = '' } = await server.post(register.path, { ...user, fullName: 'Olga Owner', terms: true })
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(song)]), 'Small.mp3')
    await server.ask(buildPath(uploadMedia.path, { contentType: 'melodies' }), token, {
      method: 'POST',
      body: form,
    })
    // The key that signs proofs is stored, sealed with secret.key.
    await server.ask(renewProofKey.path, token, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    const proofKeys = await (await server.ask(listProofKeys.path, token)).text()
    expect(proofKeys).toContain('publicKey')

    // Ended by SIGKILL and by SIGINT: nothing is left that counts, and the next one is whole.
    const killed = begin('backup', [target, '--rate', '1'])
    await once(killed.stdout, 'data')
    killed.kill('SIGKILL')
    await once(killed, 'close')
    expect(existsSync(target) ? readdirSync(target).filter(name => name.endsWith('Z')) : []).toEqual([])
    const made = await run('backup', ['backups'])
    expect(made).toMatchObject({ code: 0, complained: '' })
    expect(made.said).toContain('1 files')
    expect(made.said).toContain(`Keep apart: ${join(data, 'secret.key')}`)
    expect(readdirSync(target).filter(name => name.endsWith('.partial'))).toEqual([])
    expect(await run('backup', ['--verify', target])).toMatchObject({ code: 0, complained: '' })

    // The machine burns: what is left is the target and the key that was kept apart.
    const key = join(scratch, 'kept.key')
    copyFileSync(join(data, 'secret.key'), key)
    await server.stop()
    rmSync(data, { recursive: true })

    expect(await run('restore', [target])).toMatchObject({
      code: 1,
      complained: expect.stringContaining('name your copy with --key FILE') as string,
    })
    expect(await run('restore', [target, '--key', scratch])).toMatchObject({
      code: 1,
      complained: expect.stringMatching(
        / cannot be read \(EISDIR\): give a copy to the user who restores/,
      ) as string,
    })
    const wrong = join(scratch, 'wrong.key')
    writeFileSync(wrong, Buffer.alloc(32, 1))
    expect(await run('restore', [target, '--key', wrong])).toMatchObject({
      code: 1,
      complained: expect.stringContaining('is not the key of the installation') as string,
    })
    const killedRestore = begin('restore', [target, '--key', key])
    await once(killedRestore.stdout, 'data')
    killedRestore.kill('SIGKILL')
    await once(killedRestore, 'close')
    const restored = await run('restore', [target, '--key', key])
    expect(restored).toMatchObject({ code: 0, complained: '' })
    expect(restored.said).toMatch(/The installation goes back to 20\d\d-/)
    expect(await run('restore', [target, '--key', key])).toMatchObject({
      code: 1,
      complained: expect.stringContaining('a restore needs an empty one') as string,
    })

    const again = await startServer(data)
    const { token: newToken = '' } = await again.post(authenticate.path, user)
    const [item] = await songsOf(again, newToken)
    expect(item?.name).toBe('Small')
    const path = buildPath(readMediaFile.path, { contentType: 'melodies', uid: item?.uid ?? '' })
    const bytes = await (await again.ask(path, newToken)).arrayBuffer()
    expect(Buffer.from(bytes).equals(song)).toBe(true)
    expect(await (await again.ask(listProofKeys.path, newToken)).text()).toBe(proofKeys)
    // The session of before is still good: it was backed up too.
    expect((await songsOf(again, token)).length).toBe(1)
    await again.stop()
  },
)

const NOBODY = 65_534
test.skipIf(process.getuid?.() !== 0).each(['backup', 'restore'] as const)(
  'a %s by root, whose files a server of another user could not read, is refused with the right command',
  async program => {
    const folder = join(scratch, `of nobody, ${program}`)
    mkdirSync(folder)
    chownSync(folder, NOBODY, NOBODY)
    const place = join(scratch, `by root, ${program}`)
    expect(await run(program, [place], { DATA_DIR: folder })).toMatchObject({
      code: 1,
      said: '',
      complained: expect.stringContaining(
        `${folder} is of the user nobody, who could not read what root writes. Call it as this user: runuser -u nobody -- npm run ${program} -- `,
      ) as string,
    })
    expect([existsSync(place), readdirSync(folder)]).toEqual([false, []])
  },
)

test('the help of npm run admin is for wrong arguments, and another failure is its message alone', async () => {
  const wrong = await run('admin', ['check-all'])
  expect(wrong).toMatchObject({ code: 2, said: '' })
  expect(wrong.complained).toMatch(/^There is no command 'check-all'\.\n\nnpm run admin -- /)
  const empty = join(scratch, 'empty')
  expect(await run('admin', ['status'], { DATA_DIR: empty })).toEqual({
    code: 1,
    said: '',
    complained: `There is no installation in ${empty}, and DATABASE_URL is not set. Name the settings of the service with --env FILE, or set DATA_DIR\n`,
  })
})
