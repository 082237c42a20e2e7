import { describe, expect, it } from 'vitest'
import { hashPassword, isPassword } from './password.ts'

describe('passwords', () => {
  it('are kept as argon2id and recognised', async () => {
    const stored = await hashPassword('correct horse battery')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await isPassword('correct horse battery', stored)).toBe(true)
    expect(await isPassword('correct horse batterY', stored)).toBe(false)
  })

  it('never fit where there is no user, not even the decoy itself', async () => {
    expect(await isPassword('no password has this hash', null)).toBe(false)
  })
})
