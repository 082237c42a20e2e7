import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { register } from '@floorcast/contract/auth.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { afterAll, describe, expect, it } from 'vitest'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'floorcast main '))
const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** The program with these settings; `said` gathers its lines, `until` waits for one. */
function start(environment: Record<string, string>) {
  const env = { PATH: process.env['PATH'], DATA_DIR: folder, PORT: '0', ...environment }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  const said: string[] = []
  const ended = once(child, 'exit').then(([code]: unknown[]) => {
    running.delete(child)
    return code
  })
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', line => {
      said.push(line)
      child.emit('said')
    })
  const until = async (words: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      for (const line of said) {
        const match = words.exec(line)
        if (match) return match
      }
      await Promise.race([
        once(child, 'said'),
        ended.then(code => Promise.reject(new Error(`ended with ${String(code)}:\n${said.join('\n')}`))),
      ])
    }
  }
  return { child, said, ended, until }
}

describe('the program', () => {
  it('says where it is and who reaches it, answers, and stops on SIGTERM while consoles listen', async () => {
    const { url } = await testDatabase()
    const { child, said, ended, until } = start({ DATABASE_URL: url })
    const [, port] = await until(/^Floorcast is at http:\/\/localhost:(\d+)$/)
    const address = `http://127.0.0.1:${port}`
    await until(/Only this machine reaches it \(HOST=127\.0\.0\.1\)/)
    expect((await fetch(`${address}/health/ready`)).status).toBe(200)
    const body = {
      fullName: 'Olga Owner',
      email: 'olga@example.com',
      password: 'a long password',
      terms: true,
    }
    const registered = await fetch(`${address}${register.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { data } = (await registered.json()) as { data: { token: string } }
    const live = await fetch(`${address}/api/v2/live`, { headers: { authorization: `Bearer ${data.token}` } })
    child.kill('SIGTERM')
    expect(await live.text()).toBe('{}\n')
    expect(await ended).toBe(0)
    expect(said.at(-1)).toContain('"msg":"stopped"')
    expect(said.join('\n')).not.toMatch(/a long password|"level":[456]0/)
    expect(said.join('\n')).not.toContain(data.token)
  })

  it('names each wrong setting and does not start', async () => {
    const { ended, said } = start({ PORT: 'eighty', ROLE: 'both' })
    expect(await ended).toBe(1)
    expect(said.join('\n')).toMatch(/PORT: must be a number[^]*ROLE: must be all, api or stream/)
  })

  it('says why it cannot start', async () => {
    const { ended, said } = start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
    expect(await ended).toBe(1)
    expect(said.join('\n')).toMatch(/Floorcast could not start: .*ECONNREFUSED/)
  })
})
