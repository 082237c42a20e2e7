import { expect, it } from 'vitest'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { describeValue } from './audit-words.ts'

const t = ((key: string) => key) as Translate
const describe = (place: string, value: unknown, isCode = true) => {
  const [kind = '', field = ''] = place.split('.')
  return describeValue(t, {} as Format, { kind, field, value, isCode })
}

it.each([
  ['playlist.state', 'paused', 'common:states.playlist.paused'],
  ['publication.state', 'disabled', 'audit:values.publication.disabled'],
  ['device.kind', 'audio', 'common:kinds.audio'],
  ['user.role', 'manager', 'audit:values.role.manager'],
  ['alert.kind', 'air', 'audit:values.alert.air'],
])('says a code in words: %s, %s', (place, value, words) => {
  expect(describe(place, value)).toBe(words)
})

it('leaves what users typed: names, unknown codes, and the values of tags', () => {
  expect(describe('playlist.name', 'paused')).toBe('paused')
  expect(describe('playlist.state', 'archived')).toBe('archived')
  expect(describe('device.role', 'manager', false)).toBe('manager')
})
