import { hash } from '@node-rs/argon2'
import { beforeAll, expect, it } from 'vitest'
import { PASSWORD_COST, passwordCost } from './password-cost.ts'
import { hashPassword, isPassword } from './password.ts'

// Another file of the worker may have lowered it.
beforeAll(() => void Object.assign(passwordCost, PASSWORD_COST))

it('passwords are kept as argon2id and recognised', async () => {
  const stored = await hashPassword('correct horse battery')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await isPassword('correct horse battery', stored)).toBe(true)
  expect(await isPassword('correct horse batterY', stored)).toBe(false)
})

it('passwords fit from every keyboard, and so do the hashes of before', async () => {
  const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const
  const typed = forms.map(form => 'Café Größe ﬁn 2026'.normalize(form))
  const stored = [await hashPassword(typed[0] ?? ''), await hashPassword(typed[1] ?? '')]
  for (const password of typed) for (const one of stored) expect(await isPassword(password, one)).toBe(true)
  for (const before of [await hash(typed[0] ?? ''), await hash(typed[1] ?? '')])
    for (const password of typed.slice(0, 2)) expect(await isPassword(password, before)).toBe(true)
  expect(await isPassword('Cafe Große fin 2026', stored[0] ?? '')).toBe(false)
})

it('passwords never fit where there is no user, not even the decoy itself', async () => {
  expect(await isPassword('no password has this hash', null)).toBe(false)
})
