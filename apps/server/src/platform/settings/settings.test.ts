import { expect, test } from 'vitest'
import { addressOf } from './address-settings.ts'
import { readSettings, SettingsError } from './settings.ts'

test('settings an empty environment gives a server that only this machine reaches', () => {
  expect(readSettings({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    databaseUrl: null,
    role: 'all',
    publicUrl: 'http://localhost:8080',
    streamUrl: 'http://localhost:8080',
    registration: 'open',
    demoLanguage: 'en',
  })
})

test('settings addresses follow PUBLIC_URL and lose their last slash', () => {
  const settings = readSettings({ PUBLIC_URL: 'https://floor.example/', LOGS_URL: 'https://logs.example' })
  expect(settings).toMatchObject({
    publicUrl: 'https://floor.example',
    streamUrl: 'https://floor.example',
    logsUrl: 'https://logs.example',
  })
})

test.each([
  ['PORT', '80a'],
  ['PORT', '70000'],
  ['ROLE', 'player'],
  ['DATABASE_URL', 'mysql://somewhere'],
  ['PUBLIC_URL', 'ftp://floor.example'],
  ['PUBLIC_URL', 'https://user@floor.example'],
  ['STREAM_URL', 'https://floor.example;script-src'],
  ['STREAM_URL', 'https://stream.example/{client}'],
  ['STREAM_URL', 'https://{client}-stream.example'],
  ['STREAM_URL', 'https://{client}.{client}.example'],
  ['STREAM_URL', 'https://{uid}.stream.example'],
  ['STREAM_URL', 'https://{client}'],
  ['STREAM_URL', 'ftp://{client}.stream.example'],
  ['STREAM_URL', 'https://user:password@{client}.stream.example'],
  ['OTHER_STREAM_URL', 'https://{client}.stream.example/?of=floor'],
  ['PUBLIC_URL', 'https://{client}.floor.example'],
  ['LOGS_URL', 'https://logs.example/?of=floor'],
  ['API_URL', '/api'],
  ['API_URL', 'api.floor.example'],
  ['API_URL', 'https://*.floor.example'],
  ['API_URL', 'https://api.floor.example/#v2'],
  ['CONSOLE_ORIGINS', '*'],
  ['CONSOLE_ORIGINS', 'null'],
  ['CONSOLE_ORIGINS', 'https://*.floor.example'],
  ['CONSOLE_ORIGINS', 'file:///home/console'],
  ['CONSOLE_ORIGINS', 'https://a.example,'],
  ['CONSOLE_ORIGINS', 'https://a.example/, https://b.example'],
  ['SUPPORT_EMAIL', 'nobody'],
  ['REGISTRATION', 'maybe'],
  ['LOG_LEVEL', 'loud'],
  ['DEMO_LANGUAGE', 'xx'],
  ['MANUAL_URL', 'docs.floor.example'],
  ['TERMS_URL', 'javascript:alert(1)'],
  ['SUPPORT_BOT', '@floorcast_bot'],
  ['SUPPORT_BOT', 'javascript:alert(1)'],
  ['MIN_FREE_DISK', 'lots'],
  ['MIN_FREE_DISK', '5'],
  ['MIN_FREE_DISK', '101%'],
  ['AUDIT_DAYS', '3'],
  ['DRAIN_SECONDS', '-1'],
  ['DRAIN_SECONDS', '601'],
  ['TRUST_PROXY', 'yes'],
  ['TRUST_PROXY', '0'],
  ['TRUST_PROXY', '11'],
  ['MAX_CONNECTIONS', '9'],
  ['MAX_CONNECTIONS', 'many'],
  ['TRUST_PROXY', '10.0.0.1, nginx'],
  ['SMTP_URL', 'mail.example'],
  ['SMTP_URL', 'http://mail.example'],
  ['SMTP_URL', 'smtp://ann@mail.example'],
  ['SMTP_URL', 'smtp://ann:pass/word@mail.example'],
  ['SMTP_URL', 'smtp://ann:100%@mail.example'],
  ['SMTP_URL', 'smtp://mail.example/?pool=true'],
  ['MAIL_FROM', 'Floorcast'],
  ['MAIL_FROM', 'Floorcast <nobody>'],
  ['MAIL_FROM', 'Floorcast\r\nBcc: all@example.com <shop@example.com>'],
])('settings a wrong %s stops with a line that names it', (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(SettingsError)
  expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^Wrong setting ${name}: `))
})

test('settings each client may have a streaming host of its own', () => {
  const STREAM_URL = 'https://{client}.stream.example:8443/'
  const { streamUrl } = readSettings({ STREAM_URL })
  expect(addressOf(streamUrl, '01933d4e-0000-7000-8000-000000000002')).toBe(
    'https://01933d4e-0000-7000-8000-000000000002.stream.example:8443',
  )
})

test('settings the API follows PUBLIC_URL, the logs follow the API, and the console comes from exact origins', () => {
  const PUBLIC_URL = 'https://floor.example'
  expect(readSettings({ PUBLIC_URL })).toMatchObject({
    apiUrl: PUBLIC_URL,
    logsUrl: PUBLIC_URL,
    consoleOrigins: [],
  })
  const CONSOLE_ORIGINS = 'https://a.example, http://[::1]:8080'
  expect(
    readSettings({ PUBLIC_URL, API_URL: 'https://api.example:8443/floor/', CONSOLE_ORIGINS }),
  ).toMatchObject({
    apiUrl: 'https://api.example:8443/floor',
    logsUrl: 'https://api.example:8443/floor',
    consoleOrigins: ['https://a.example', 'http://[::1]:8080'],
  })
})

test('settings the words say how an origin is written', () => {
  expect(() => readSettings({ CONSOLE_ORIGINS: 'https://A.example/' })).toThrow(
    'Wrong setting CONSOLE_ORIGINS: must be exact origins: write https://a.example for https://A.example/',
  )
})

test('settings an https console has an https API', () => {
  const http = { API_URL: 'http://api.example' }
  expect(readSettings({ ...http, PUBLIC_URL: 'http://floor.example' }).apiUrl).toBe(http.API_URL)
  expect(() => readSettings({ ...http, PUBLIC_URL: 'https://floor.example' })).toThrow(
    'Wrong setting API_URL: must be https, as PUBLIC_URL is',
  )
})

test('settings every wrong setting is named, not the first alone', () => {
  expect(() => readSettings({ PORT: 'x', ROLE: 'y' })).toThrow(/PORT[^]*\n.*ROLE/)
})

test('settings a bucket is enough for a store of AWS, and any other has an address and a key', () => {
  expect(readSettings({}).s3).toBeNull()
  expect(readSettings({ S3_BUCKET: '' }).s3).toBeNull()
  const ofAws = { endpoint: null, bucket: 'floor.files', region: 'us-east-1', key: null }
  expect(readSettings({ S3_BUCKET: 'floor.files' }).s3).toEqual(ofAws)
  const given = {
    S3_ENDPOINT: 'https://s3.example:9000/',
    S3_BUCKET: 'floor-files',
    S3_REGION: 'shop-1',
    S3_ACCESS_KEY_ID: 'shop:floorcast',
    S3_SECRET_ACCESS_KEY: 'not/to+be=told',
  }
  expect(readSettings(given).s3).toEqual({
    endpoint: 'https://s3.example:9000',
    bucket: 'floor-files',
    region: 'shop-1',
    key: { id: 'shop:floorcast', secret: 'not/to+be=told' },
  })
})

test.each([
  [{ S3_ENDPOINT: 'https://s3.example' }, 'S3_BUCKET: is needed with S3_ENDPOINT'],
  [{ S3_REGION: 'eu-central-1' }, 'S3_BUCKET: is needed with S3_REGION'],
  [{ S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'AKIA' }, 'S3_SECRET_ACCESS_KEY: is needed with S3_ACCESS_KEY_ID'],
  [
    { S3_BUCKET: 'files', S3_SECRET_ACCESS_KEY: 'hush' },
    'S3_ACCESS_KEY_ID: is needed with S3_SECRET_ACCESS_KEY',
  ],
  [{ S3_BUCKET: 'Files' }, 'S3_BUCKET: must be the name of a bucket'],
  [{ S3_BUCKET: 'files/folder' }, 'S3_BUCKET: must be the name of a bucket'],
  [{ S3_BUCKET: 'files', S3_ENDPOINT: 's3.example' }, 'S3_ENDPOINT: must be an address'],
  [
    { S3_BUCKET: 'files', S3_ENDPOINT: 'https://me:hush@s3.example' },
    'S3_ENDPOINT: must be an address without',
  ],
  [{ S3_BUCKET: 'files', S3_REGION: 'eu central' }, 'S3_REGION: must be the name of a region'],
  [
    { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'AKIA', S3_SECRET_ACCESS_KEY: 'hu sh' },
    'S3_SECRET_ACCESS_KEY: must have',
  ],
])('settings of a store that are wrong are named, and no secret is: %j', (given, words) => {
  expect(() => readSettings(given)).toThrow(`Wrong setting ${words}`)
  expect(() => readSettings(given)).not.toThrow(/hu ?sh/)
})

test.each([
  ['false', false],
  ['1', 1],
  ['2', 2],
  ['127.0.0.1', '127.0.0.1'],
  ['10.0.0.0/8, fd00::/8,::1', '10.0.0.0/8, fd00::/8,::1'],
])('settings TRUST_PROXY=%s', (value, trustProxy) => {
  expect(readSettings({ TRUST_PROXY: value })).toMatchObject({ trustProxy })
})

test('settings TRUST_PROXY=true is told what to write', () => {
  expect(() => readSettings({ TRUST_PROXY: 'true' })).toThrow(
    'Write the address of your proxy (127.0.0.1), or how many proxies stand in front (1)',
  )
})

test.each([
  ['smtp://mail.example', { host: 'mail.example', port: 587, isSecure: false, login: null }],
  [
    'smtps://ann%40shop:p%2Fw%25@mail.example',
    { host: 'mail.example', port: 465, isSecure: true, login: { user: 'ann@shop', password: 'p/w%' } },
  ],
  ['smtp://[::1]:2525', { host: '::1', port: 2525, isSecure: false, login: null }],
])('settings SMTP_URL=%s', (value, server) => {
  const from = { name: 'The Floor', address: 'floor@shop.example' }
  expect(readSettings({ SMTP_URL: value, MAIL_FROM: 'The Floor <floor@shop.example>' }).mail).toEqual({
    ...server,
    from,
  })
})

test('settings a mail server needs a sender, and a sender a mail server', () => {
  expect(() => readSettings({ SMTP_URL: 'smtp://mail.example' })).toThrow(
    'MAIL_FROM: is needed with SMTP_URL',
  )
  expect(() => readSettings({ MAIL_FROM: 'a@shop.example' })).toThrow('SMTP_URL: is needed with MAIL_FROM')
})

test('settings the words about a wrong SMTP_URL hold nothing of its password', () => {
  const wrong = { SMTP_URL: 'smtp://ann:hunter2/@mail.example', MAIL_FROM: 'a@shop.example' }
  expect(() => readSettings(wrong)).toThrow(/^(?!.*hunter2)[^]*$/)
})

test.each([
  'postgres://floor:hush@one.example:5432,two.example:5432/floor?target_session_attrs=read-write',
  'postgres://floor:hush@one.example,two.example/floor',
  'postgres://floor:hush/@one.example/floor',
])(
  'settings an address of several databases, or of none, is told what to write, without its password: %s',
  wrong => {
    expect(() => readSettings({ DATABASE_URL: wrong })).toThrow(
      /^Wrong setting DATABASE_URL: must be (?!.*hush).* with one host/,
    )
  },
)

test('settings an empty variable counts as absent', () => {
  expect(readSettings({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: null })
})
