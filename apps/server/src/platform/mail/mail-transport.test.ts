import { expect, it } from 'vitest'
import { toSmtpOptions } from './mail-transport.ts'

const from = { name: '', address: 'floor@shop.example' }

it.each([
  ['mail.example', true],
  ['10.0.0.5', true],
  ['localhost.example', true],
  ['localhost', false],
  ['127.0.0.1', false],
  ['::1', false],
])('a mail server at %s must offer STARTTLS: %s', (host, requireTLS) => {
  const options = toSmtpOptions({ host, port: 587, isSecure: false, login: null, from })
  expect(options).toMatchObject({ requireTLS, secure: false })
})
