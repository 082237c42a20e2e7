import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSecretBox } from './secret-box.ts'

let folder = ''
let file = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'floorcast-secret-'))
  file = join(folder, 'secret.key')
})
afterEach(() => rmSync(folder, { recursive: true }))

it('opens for its owner only, on every server with the same key', async () => {
  const [one, other] = await Promise.all([openSecretBox(file), openSecretBox(file)])
  const sealed = one.seal(Buffer.from('a secret'), 'ann')
  expect(other.open(sealed, 'ann').toString()).toBe('a secret')
  expect(sealed.toString('latin1')).not.toContain('a secret')
  expect(() => other.open(sealed, 'bob')).toThrow(/does not fit.*docs\/manual\/server\.md/)
  expect(one.seal(Buffer.from('a secret'), 'ann')).not.toEqual(sealed)
  expect(one.hash('code', 'ann')).toEqual(other.hash('code', 'ann'))
  expect(one.hash('code', 'bob')).not.toEqual(one.hash('code', 'ann'))
})

it('has its key in a file that nobody else can read, and leaves no other', async () => {
  await openSecretBox(file)
  expect(readdirSync(folder)).toEqual(['secret.key'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

it('says that the key is damaged', async () => {
  writeFileSync(file, 'short')
  await expect(openSecretBox(file)).rejects.toThrow(/secret\.key is damaged/)
})
