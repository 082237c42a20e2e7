import { Description, Name } from '@floorcast/contract/fields.ts'
import { type LocaleCode, locales } from '@floorcast/contract/locales.ts'
import { sampleFiles } from '@floorcast/sample-media/sample-media.ts'
import { expect, test } from 'vitest'
import { readDemoContent } from './demo-content.ts'
import { troubledShops } from './demo-trouble.ts'

/** What a demonstration in a language shows: names, and descriptions. */
function readTexts(language: LocaleCode): { names: string[]; descriptions: string[] } {
  const { shows, unpublished, profiles, update, ...content } = readDemoContent(language)
  const described = [...shows.flatMap(({ group, playlist }) => [group, playlist]), unpublished, ...profiles]
  const shops = shows.flatMap(({ group }) => group.shops).map(([name]) => name)
  const names = [
    ...described.map(({ name }) => name),
    ...shops,
    ...shows.map(({ publication }) => publication),
    content.delayedPublication,
    content.userName,
    update.name,
    update.channel,
    ...sampleFiles.map(({ name }) => content.nameOfMedia(name)),
  ]
  return { names, descriptions: described.map(({ description }) => description) }
}

const english = readTexts('en')
/** Names of places, and a package that some languages name alike. */
const alike = new Set([
  ...readDemoContent('en')
    .shows.slice(0, 2)
    .flatMap(({ group }) => group.shops)
    .map(([name]) => name),
  ...troubledShops.map(({ place: [name] }) => name),
  'Player',
])

test.each(locales.map(({ code }) => code))(
  'the demonstration in %s has names that the server takes',
  code => {
    const { names, descriptions } = readTexts(code)
    expect(names.filter(name => !Name.safeParse(name).success)).toEqual([])
    expect(descriptions.filter(text => text === '' || !Description.safeParse(text).success)).toEqual([])
    expect(new Set(names).size).toBe(names.length)
  },
)

test.each(locales.map(({ code }) => code).filter(code => code !== 'en'))(
  'the demonstration in %s has no English name but those of places',
  code => {
    const { names, descriptions } = readTexts(code)
    const left = [...english.names, ...english.descriptions].filter(text => !alike.has(text))
    expect(left).toHaveLength(english.names.length + english.descriptions.length - 19)
    expect([...names, ...descriptions].filter(text => left.includes(text))).toEqual([])
  },
)
