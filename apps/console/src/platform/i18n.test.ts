import i18next, { type TFunction } from 'i18next'
import { beforeAll, expect, it, vi } from 'vitest'
import { startI18n } from './i18n.ts'

let say: TFunction
beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {} })
  await startI18n()
  const texts = {
    about: 'About {{length}}. Fewer are better.',
    quoted: 'Not “{{length}}”.',
    within: '{{length}} at most',
  }
  i18next.addResourceBundle(i18next.language, 'lengths', texts)
  say = i18next.getFixedT(null, 'lengths' as never)
})

it.each([
  { key: 'about', length: '15 Min.', text: 'About 15 Min. Fewer are better.' },
  { key: 'about', length: '15 min', text: 'About 15 min. Fewer are better.' },
  { key: 'about', length: 'Acme Inc..', text: 'About Acme Inc.. Fewer are better.' },
  { key: 'quoted', length: '15 Min.', text: 'Not “15 Min.”.' },
  { key: 'within', length: '15 Min.', text: '15 Min. at most' },
])('a value with a full stop at its end gets no second one: $text', ({ key, length, text }) => {
  expect(say(key as never, { length })).toBe(text)
})
