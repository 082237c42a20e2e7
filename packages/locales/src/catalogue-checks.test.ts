import { expect, it } from 'vitest'
import { expectedKeys, findFaults, findLatinWords, findNameFaults, findUnused } from './catalogue-checks.ts'

const english = new Map([
  ['common:save', 'Save'],
  ['common:hello', 'Hello {{name}}, {{count, number}} plays'],
  ['devices:count_one', '{{count}} device'],
  ['devices:count_other', '{{count}} devices'],
  ['devices:plan.name_one', 'Plan one'],
])

const arabic = new Map([
  ['common:save', 'حفظ'],
  ['common:hello', 'مرحبا {{name}}، {{count}} مرة'],
  ['devices:count_zero', 'لا أجهزة'],
  ['devices:count_one', 'جهاز واحد'],
  ['devices:count_two', 'جهازان'],
  ['devices:count_few', '{{count}} أجهزة'],
  ['devices:count_many', '{{count}} جهازا'],
  ['devices:count_other', '{{count}} جهاز'],
  ['devices:plan.name_one', 'الخطة الأولى'],
])

const faultsOf = (words: Map<string, string>, same: string[] = []) =>
  findFaults({ code: 'ar', tag: 'ar', words, same: new Set(same) }, english)
const changed = (key: string, text: string) => faultsOf(new Map(arabic).set(key, text))
const without = (key: string) => faultsOf(new Map([...arabic].filter(([name]) => name !== key)))

it('a catalogue beside English is without fault when each key, branch and placeholder is there', () => {
  expect(faultsOf(arabic)).toEqual([])
  expect(findFaults({ code: 'en', tag: 'en', words: english, same: new Set() }, english)).toEqual([])
})

it('a catalogue beside English names a missing, an extra and an empty key', () => {
  expect(without('common:save')).toEqual(['ar common:save: missing'])
  expect(changed('common:cancel', 'إلغاء')).toEqual([
    'ar common:cancel: not in English, or no plural branch of ar',
  ])
  expect(changed('common:save', ' ')).toEqual(['ar common:save: empty'])
})

it('a catalogue beside English names a plural branch that the language lacks or does not know', () => {
  expect(without('devices:count_few')).toEqual(['ar devices:count_few: missing'])
  const german = new Map([...english].map(([key, text]) => [key, `${text} de`]))
  german.set('devices:count_many', '{{count}} Geräte')
  expect(findFaults({ code: 'de', tag: 'de', words: german, same: new Set() }, english)).toEqual([
    'de devices:count_many: not in English, or no plural branch of de',
  ])
})

it('a catalogue beside English names placeholders that differ; a branch of one certain number may leave the number out', () => {
  expect(changed('common:hello', 'مرحبا {{naam}} {{count}}')).toEqual([
    'ar common:hello: placeholders are count, naam, English has count, name',
  ])
  expect(changed('devices:count_few', 'أجهزة')).toEqual([
    'ar devices:count_few: placeholders are none, English has count',
  ])
})

it('a catalogue beside English names words that are still English, unless they are allowed to be', () => {
  expect(changed('common:save', 'Save')).toEqual([
    'ar common:save: the same as English ("Save"); if rightly, give the reason in same-words',
  ])
  expect(faultsOf(new Map(arabic).set('common:save', 'Save'), ['common:save'])).toEqual([])
  expect(faultsOf(arabic, ['common:save'])).toEqual([
    'ar common:save: allowed to be the same as English, but is not',
  ])
})

it('a catalogue beside English takes the branches from Intl, for every language of the product', () => {
  const branches = (tag: string) =>
    [...expectedKeys(english, tag)].filter(key => key.startsWith('devices:count'))
  expect(branches('zh-Hans')).toEqual(['devices:count_other'])
  expect(branches('ru').toSorted()).toEqual(
    ['few', 'many', 'one', 'other'].map(branch => `devices:count_${branch}`),
  )
})

it('names words in Latin letters in other scripts, but no names, placeholders and tags', () => {
  const words = new Map([
    ['common:save', 'احفظ Save <b>{{name}}</b>'],
    ['common:format', 'MP3 أو WAV.'],
  ])
  const names = new Set(['MP3'])
  expect(findLatinWords({ code: 'ar', tag: 'ar', words }, names)).toEqual([
    'ar common:save: "Save" in Latin letters',
    'ar common:format: "WAV" in Latin letters',
  ])
  expect(findLatinWords({ code: 'de', tag: 'de', words }, names)).toEqual([])
})

it('names an outcome without words', () => {
  expect(findNameFaults(english, 'common', ['save', 'done'])).toEqual([
    'en common:done: no words for this name',
  ])
})

it('names a key that the console never asks for, and takes a plural by its base', () => {
  const uses = (key: string) => ['common:save', 'common:hello', 'devices:count'].includes(key)
  expect(findUnused(english, uses)).toEqual(['en devices:plan.name_one: used nowhere in the console'])
})
