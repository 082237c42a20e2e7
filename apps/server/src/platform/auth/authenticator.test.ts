import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AuthQueries } from '../database/auth-queries.ts'
import { createAuthenticator, formatStreamingToken } from './authenticator.ts'

test.each(['a user', 'a page that streams'])(
  'a thousand calls of %s at once read the session twice',
  async who => {
    let reads = 0
    const find = async () => {
      reads += 1
      await turn()
      return null
    }
    const auth = { sessionByToken: find, deviceByStreamer: find } as Partial<AuthQueries> as AuthQueries
    const authenticator = createAuthenticator(auth, () => new Date())
    const streaming = formatStreamingToken({ userToken: 'token', reporterUid: randomUUID() })
    const ask = () =>
      who === 'a user'
        ? authenticator.userByToken('token', '192.0.2.1')
        : authenticator.deviceByToken(streaming, '192.0.2.1')
    await Promise.all(Array.from({ length: 1000 }, ask))
    expect(reads).toBe(2)
  },
)
