import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register } from '@floorcast/contract/auth.ts'
import { release } from '@floorcast/contract/release.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { expect, it } from 'vitest'
import { version } from './version.ts'

it('behind a proxy the program says the address that others use', async () => {
  const { url } = await testDatabase()
  const { child, ended, until } = startServerProgram({
    DATABASE_URL: url,
    PUBLIC_URL: 'https://floorcast.example',
  })
  await until(
    /Others reach it at https:\/\/floorcast\.example, by a proxy on this machine \(HOST=127\.0\.0\.1\)/,
  )
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

it('the program says where it is and who reaches it, answers, and stops on SIGTERM while consoles listen', async () => {
  const { url } = await testDatabase()
  const { child, said, ended, until } = startServerProgram({ DATABASE_URL: url })
  const [, port] = await until(/^Floorcast is at http:\/\/localhost:(\d+)$/)
  const address = `http://127.0.0.1:${port}`
  await until(/Only this machine reaches it \(HOST=127\.0\.0\.1\)/)
  expect((await fetch(`${address}/health/ready`)).status).toBe(200)
  const [, first = ''] = await until(/^(\{.*"msg":"starting"\})$/)
  expect(JSON.parse(first)).toMatchObject({ version: release.version, role: 'all', commit: version.commit })
  expect(version.commit).toBe(execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).slice(0, 8))
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
  expect(await live.text()).toMatch(/^\{\}\n\{"retryAfterMs":\d+\}\n$/)
  expect(await ended).toBe(0)
  expect(said.at(-1)).toContain('"msg":"stopped"')
  // The database's time zones may be older than Node's.
  const faults = said.filter(line => !line.includes('other rules for these time zones'))
  expect(faults.join('\n')).not.toMatch(/a long password|"level":[456]0/)
  expect(said.join('\n')).not.toContain(data.token)
})

it('on SIGTERM the program is unready and serves for DRAIN_SECONDS; a second signal ends the wait', async () => {
  const { url } = await testDatabase()
  const DRAIN_SECONDS = '600'
  const { child, said, ended, until } = startServerProgram({ DATABASE_URL: url, DRAIN_SECONDS })
  const [, port] = await until(/^Floorcast is at http:\/\/localhost:(\d+)$/)
  const address = `http://127.0.0.1:${port}`
  child.kill('SIGTERM')
  await until(/"drainSeconds":600,"msg":"stopping"/)
  const ready = await fetch(`${address}/health/ready`)
  expect([ready.status, ready.headers.get('x-unready-reason')]).toEqual([503, 'stopping'])
  const signUp = await fetch(`${address}${register.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      fullName: 'Olga Owner',
      email: 'last@example.com',
      password: 'a long password',
      terms: true,
    }),
  })
  expect([signUp.status, signUp.headers.get('connection')]).toEqual([200, 'close'])
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(said.at(-1)).toContain('"msg":"stopped"')
})

it('in a terminal the program does not wait: SIGINT', async () => {
  const { url } = await testDatabase()
  const { child, said, ended, until } = startServerProgram({ DATABASE_URL: url, DRAIN_SECONDS: '600' })
  await until(/^Floorcast is at/)
  child.kill('SIGINT')
  expect(await ended).toBe(0)
  expect(said.at(-1)).toContain('"msg":"stopped"')
})

it('the program says that the embedded PostgreSQL is for trials and small installations', async () => {
  const [embedded, { url }] = [startServerProgram({}), await testDatabase()]
  await embedded.until(/"level":30.*the embedded PostgreSQL is for trials and small installations/)
  await embedded.until(/^Floorcast is at/)
  embedded.child.kill('SIGTERM')
  expect(await embedded.ended).toBe(0)
  const other = startServerProgram({ DATABASE_URL: url })
  await other.until(/^Floorcast is at/)
  expect(other.said.join('\n')).not.toContain('embedded PostgreSQL')
})

it('the program names each wrong setting and does not start', async () => {
  const { ended, said } = startServerProgram({ PORT: 'eighty', ROLE: 'both' })
  expect(await ended).toBe(1)
  expect(said.join('\n')).toMatch(/PORT: must be a number[^]*ROLE: must be all, api or stream/)
})

it('the program takes no option', async () => {
  const { ended, said } = startServerProgram({}, ['--demo'])
  expect(await ended).toBe(1)
  expect(said.join('\n')).toContain("Unknown option '--demo'")
})

it('the program says why it cannot start, before it makes anything', async () => {
  const { url } = await testDatabase()
  const wrong = startServerProgram({
    DATABASE_URL: Object.assign(new URL(url), { pathname: '/nothing' }).href,
  })
  expect(await wrong.ended).toBe(1)
  expect(wrong.said.join('\n')).toMatch(
    /Floorcast could not start: DATABASE_URL \(.*there is no such database/,
  )

  const folder = mkdtempSync(join(tmpdir(), 'floorcast-main-'))
  const first = startServerProgram({ DATA_DIR: folder })
  const [, port = ''] = await first.until(/^Floorcast is at http:\/\/localhost:(\d+)$/)
  const same = startServerProgram({ DATA_DIR: folder })
  expect(await same.ended).toBe(1)
  expect(same.said.join('\n')).toContain(`Another server works in DATA_DIR ${folder}`)
  const taken = startServerProgram({ DATA_DIR: join(folder, 'new'), PORT: port })
  expect(await taken.ended).toBe(1)
  expect(taken.said.join('\n')).toContain(`PORT ${port} of 127.0.0.1 is in use`)
  expect(existsSync(join(folder, 'new'))).toBe(false)
  // Several may share a folder where each has the database of DATABASE_URL.
  const sharing = [1, 2].map(() =>
    startServerProgram({ DATA_DIR: join(folder, 'shared'), DATABASE_URL: url }),
  )
  for (const program of sharing) await program.until(/^Floorcast is at/)
  rmSync(folder, { recursive: true })
})
