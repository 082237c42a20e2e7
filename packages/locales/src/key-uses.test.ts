import { expect, it } from 'vitest'
import { readKeyUses } from './key-uses.ts'

const uses = readKeyUses([
  `const title = t('devices:title')\nconst columns = [{ label: "devices:columns.name" }]`,
  'const said = t(`outcomes:${name}`) + t(`outcomes:named.${name}`, { names })\nconst all = `${noun}:every`',
  `<Button>{t('save')}</Button>`,
])

it.each(['devices:title', 'devices:columns.name', 'outcomes:done', 'outcomes:named.inUse', 'common:save'])(
  'which keys the console asks for asks for %s',
  key => expect(uses(key)).toBe(true),
)

it.each([
  'devices:save',
  'devices:titles',
  'outcomes:other.deep',
  'outcomes:named.a.b',
  'groups:every',
  'common:name',
])('which keys the console asks for does not ask for %s', key => expect(uses(key)).toBe(false))
