import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readCatalogue, readSameWords } from './catalogue-files.ts'
import { locales } from '@floorcast/contract/locales.ts'

let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'floorcast-words-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

it('reads every noun, nested words by their full key', () => {
  write('devices.json', '{"title": "Devices", "card": {"name": "Name"}}')
  write('common.json', '{"save": "Save"}')
  expect([...readCatalogue(folder)]).toEqual([
    ['common:save', 'Save'],
    ['devices:title', 'Devices'],
    ['devices:card.name', 'Name'],
  ])
})

it('names the file that is no JSON, the value that is no words, and a file that is no catalogue', () => {
  write('common.json', '{"save": ')
  expect(() => readCatalogue(folder)).toThrow('common.json: ')
  write('common.json', '{"sizes": [10, 25]}')
  expect(() => readCatalogue(folder)).toThrow('common:sizes is neither words nor a group of words')
  rmSync(join(folder, 'common.json'))
  write('notes.txt', 'x')
  expect(() => readCatalogue(folder)).toThrow('notes.txt is no <noun>.json')
})

it('reads the keys that may have the words of English, and refuses one without a reason', () => {
  const path = join(folder, 'de.json')
  expect([...readSameWords(path)]).toEqual([])
  write('de.json', '{"media:lufs": "unit of loudness"}')
  expect([...readSameWords(path)]).toEqual(['media:lufs'])
  write('de.json', '{"media:lufs": " "}')
  expect(() => readSameWords(path)).toThrow('media:lufs has no reason')
})

it.each(locales)('says codes in the change history as on the pages of their items, in $name', ({ code }) => {
  const words = readCatalogue(join(import.meta.dirname, '../catalogues', code))
  const pages = {
    publication: 'publications:states',
    'update-package': 'updates:package.states',
    'update-channel': 'updates:channel.states',
    'deploy-package': 'updates:deploy.states',
    alert: 'alerts:kinds',
    role: 'users:roles',
    rights: 'users:rights',
  }
  for (const [name, page] of Object.entries(pages)) {
    const own = [...words].filter(([key]) => key.startsWith(`audit:values.${name}.`))
    expect(own.length, name).toBeGreaterThan(1)
    for (const [key, text] of own) expect(text, key).toBe(words.get(`${page}.${key.split('.').at(-1)}`))
  }
})
