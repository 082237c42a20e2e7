import { authenticate, register } from '@floorcast/contract/auth.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { expect, it } from 'vitest'

const email = 'olga@example.com'

async function startAt(url: string) {
  const program = startServerProgram({ DATABASE_URL: url })
  const [, port] = await program.until(/^Floorcast is at http:\/\/localhost:(\d+)$/)
  const send = (path: string, body: object) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const signIn = async (password: string) => (await send(authenticate.path, { email, password })).status
  return { ...program, send, signIn }
}

it('two programs on one database count guesses together, and killing one of them forgets none', async () => {
  const { url } = await testDatabase()
  const [first, second] = [await startAt(url), await startAt(url)]
  const own = { fullName: 'Olga Owner', email, password: 'a long password', terms: true }
  expect((await first.send(register.path, own)).status).toBe(200)
  const statuses = []
  for (let nr = 0; nr < 6; nr++) statuses.push(await (nr % 2 ? first : second).signIn('a wrong password'))
  expect(statuses).toEqual(Array<number>(6).fill(400))
  first.child.kill('SIGKILL')
  await first.ended
  const third = await startAt(url)
  const rest = await Promise.all(
    Array.from({ length: 8 }, (_, nr) => (nr % 2 ? second : third).signIn('a guess')),
  )
  expect(rest.filter(status => status === 400)).toHaveLength(4)
  expect(rest.filter(status => status === 429)).toHaveLength(4)
  expect(await third.signIn('a long password')).toBe(429)
})
