import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  joinSignature,
  parseStatement,
  signedTextOf,
  splitSignature,
  statementTextOf,
  UpdateSignature,
  type UpdateStatement,
} from './update-signing.ts'

const statement: UpdateStatement = {
  name: 'floorcast-agent.mjs',
  version: '2.776.0',
  machines: ['linux-x64', 'linux-arm64'],
  counter: 1_764_345_600,
  isDowngrade: false,
  sizeBytes: 4,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}

it('the statement of an update file is read as it was written', () => {
  for (const each of [
    statement,
    { ...statement, machines: [], isDowngrade: true },
    { ...statement, name: 'Програвач 2 (новий).tar' },
  ])
    expect(parseStatement(statementTextOf(each))).toEqual(each)
})

const text = statementTextOf(statement)
it.each([
  ['', text],
  ['a former signature’s text', signedTextOf(statement.sha256)],
  ['another purpose', text.replace('floorcast player', 'floorcast projector')],
  ['more lines', `${text}downgrade yes\n`],
  ['a line less', text.replace(/downgrade .*\n/, '')],
  ['another order', text.replace(/(counter .*\n)(downgrade .*\n)/, '$2$1')],
  ['lines of Windows', text.replaceAll('\n', '\r\n')],
  ['two lines in a name', text.replace('agent.mjs', 'agent\nversion 9.9')],
  ['no version', text.replace('2.776.0', 'new')],
  ['an unknown machine', text.replace('linux-x64', 'toaster')],
  ['an empty machine', text.replace('linux-x64,', ',')],
  ['a counter with a zero', text.replace('counter ', 'counter 0')],
  ['a negative counter', text.replace('counter ', 'counter -')],
  ['a hash in capitals', text.replace('9f86d0', '9F86D0')],
])('the statement of an update file is no other text: %s', (name, other) => {
  expect(parseStatement(other) === null).toBe(name !== '')
})

it('the statement of an update file is in docs/device-protocol.md, with a signature that is valid and the line of FILE.sig', () => {
  const page = readFileSync(new URL('../../../docs/device-protocol.md', import.meta.url), 'utf8')
  const [, key = '', line = ''] = /public key `([^`]+)`[^`]*```text\n([^\n]+)\n```/.exec(page) ?? []
  const [, shown = ''] = /```text\n(floorcast player update\n[^`]+)```/.exec(page) ?? []
  expect(parseStatement(shown)).toEqual(statement)
  const signatures = splitSignature(UpdateSignature.parse(line))
  expect(signatures.statement?.text).toBe(shown)
  expect(joinSignature(signatures)).toBe(line)
  const x = Buffer.from(key, 'base64').toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const isSigned = (signed: string, signature = '') =>
    verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, 'base64'))
  expect(isSigned(shown, signatures.statement?.signature)).toBe(true)
  expect(isSigned(signedTextOf(statement.sha256), signatures.signature)).toBe(true)
})
