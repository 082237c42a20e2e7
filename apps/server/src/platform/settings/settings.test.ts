import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readSettings, SettingsError } from './settings.ts'

describe('settings', () => {
  test('an empty environment gives a server that only this machine reaches', () => {
    expect(readSettings({})).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      databaseUrl: null,
      role: 'all',
      publicUrl: 'http://localhost:8080',
      streamUrl: 'http://localhost:8080',
      s3: null,
      registration: 'open',
    })
  })

  test('addresses follow PUBLIC_URL and lose their last slash', () => {
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
    ['SUPPORT_EMAIL', 'nobody'],
    ['REGISTRATION', 'maybe'],
    ['LOG_LEVEL', 'loud'],
  ])('a wrong %s stops with a line that names it', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(SettingsError)
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^Wrong setting ${name}: `))
  })

  test('every wrong setting is named, not the first alone', () => {
    expect(() => readSettings({ PORT: 'x', ROLE: 'y' })).toThrow(/PORT[^]*\n.*ROLE/)
  })

  test('an S3 store needs its bucket and keys', () => {
    expect(() => readSettings({ S3_ENDPOINT: 'https://s3.example' })).toThrow(/S3_BUCKET: is needed/)
  })

  test('an empty variable counts as absent', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: null })
  })

  test('.env.example documents every setting and no other', () => {
    const example = readFileSync(new URL('../../../../../.env.example', import.meta.url), 'utf8')
    const documented = [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(match => String(match[1])).sort()
    const source = readFileSync(new URL('settings.ts', import.meta.url), 'utf8')
    const read = [...source.matchAll(/^ {4}([A-Z][A-Z0-9_]+): /gm)].map(match => String(match[1])).sort()
    expect(documented).toEqual(read)
  })
})
