import { register } from '@floorcast/contract/auth.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { expect, it } from 'vitest'

it('the program says where it is and who reaches it, answers, and stops on SIGTERM while consoles listen', async () => {
  const { url } = await testDatabase()
  const { child, said, ended, until } = startServerProgram({ DATABASE_URL: url })
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
  // The database's time zones may be older than Node's.
  const faults = said.filter(line => !line.includes('other rules for these time zones'))
  expect(faults.join('\n')).not.toMatch(/a long password|"level":[456]0/)
  expect(said.join('\n')).not.toContain(data.token)
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

it('the program says why it cannot start', async () => {
  const { ended, said } = startServerProgram({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
  expect(await ended).toBe(1)
  expect(said.join('\n')).toMatch(/Floorcast could not start: .*ECONNREFUSED/)
})
