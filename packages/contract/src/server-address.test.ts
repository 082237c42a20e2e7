import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  type AddressStatement,
  addressTextOf,
  joinSignedAddress,
  parseAddressStatement,
  splitSignedAddress,
} from './server-address.ts'

const statement: AddressStatement = {
  client: '01933d4e-0000-7000-8000-000000000002',
  address: 'https://new.floorcast.example',
  counter: 1_764_345_600,
}
const text = addressTextOf(statement)
const page = readFileSync(new URL('../../../docs/device-protocol.md', import.meta.url), 'utf8')
const [, shown = '', signature = ''] =
  /```text\n(floorcast server address\n[^`]+)```[^]*?```text\n([^\n]+)\n```/.exec(page) ?? []

it('the text of a signed address is read as it was written', () => {
  for (const address of [
    statement.address,
    'http://127.0.0.1:8080',
    'https://[2001:db8::1]:8443',
    'https://xn--frher-kva.example',
    `https://${statement.client}.stream.example`,
  ])
    expect(parseAddressStatement(addressTextOf({ ...statement, address }))).toEqual({ ...statement, address })
})

it.each([
  ['', text],
  ['the purpose of an update', text.replace('server address', 'player update')],
  ['more lines', `${text}counter 9\n`],
  ['a line less', text.replace(/counter .*\n/, '')],
  ['another order', text.replace(/(address .*\n)(counter .*\n)/, '$2$1')],
  ['lines of Windows', text.replaceAll('\n', '\r\n')],
  ['no uid', text.replace(statement.client, 'a'.repeat(36))],
  ['a uid in capitals', text.replace(statement.client, statement.client.toUpperCase())],
  ['a slash at the end', text.replace('.example', '.example/')],
  ['a path', text.replace('.example', '.example/floor')],
  ['a query', text.replace('.example', '.example?of=floor')],
  ['a fragment', text.replace('.example', '.example#floor')],
  ['a user', text.replace('https://', 'https://ada@')],
  ['a password', text.replace('https://', 'https://ada:long@')],
  ['another protocol', text.replace('https:', 'wss:')],
  ['a script', text.replace('https://new', 'javascript://new')],
  ['capitals', text.replace('new', 'New')],
  ['letters that DNS writes otherwise', text.replace('new', 'früher')],
  ['the port that it has anyway', text.replace('.example', '.example:443')],
  ['a place for a client', text.replace('new', '{client}')],
  ['a long address', text.replace('new', `${'a.'.repeat(150)}new`)],
  ['a counter with a zero', text.replace('counter ', 'counter 0')],
  ['a negative counter', text.replace('counter ', 'counter -')],
])('the text of a signed address is no other: %s', (name, other) => {
  expect(parseAddressStatement(other) === null).toBe(name !== '')
})

it('a signed address goes through a shell as one word, and is read from no other word', () => {
  const word = joinSignedAddress({ text, signature })
  expect(word).toMatch(/^[A-Za-z0-9+/=.]+$/)
  expect(splitSignedAddress(word)).toEqual({ text, signature, ...statement })
  for (const other of ['', '.', 'a.b', word.slice(1), word.slice(0, -1), `${word} `, word.replace('.', ',')])
    expect(splitSignedAddress(other)).toBeNull()
  expect(splitSignedAddress(joinSignedAddress({ text: 'no address', signature }))).toBeNull()
})

it('a signed address is in docs/device-protocol.md, with a signature that is valid', () => {
  expect(parseAddressStatement(shown)).toEqual(statement)
  const [, key = ''] = /public key `([^`]+)`/.exec(page) ?? []
  const x = Buffer.from(key, 'base64').toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  expect(verify(null, Buffer.from(shown), publicKey, Buffer.from(signature, 'base64'))).toBe(true)
})
