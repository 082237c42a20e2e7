import { expect, it } from 'vitest'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { describeAction, describeField, describeValue, shorten, splitAtUids } from './audit-words.ts'

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
  ['device.command', 'send-log', 'audit:values.command.send-log'],
])('says a code in words: %s, %s', (place, value, words) => {
  expect(describe(place, value)).toBe(words)
})

it('says in words what the server records, and leaves what a newer one does', () => {
  expect(describeAction(t, 'request-plan')).toBe('audit:actions.request-plan')
  expect(describeAction(t, 'paint')).toBe('paint')
  expect(['isrc', 'item 3', 'city', 'colour of the door'].map(field => describeField(t, field))).toEqual([
    'audit:fields.isrc',
    'audit:fields.item 3',
    'tagKeys:keys.city',
    'colour of the door',
  ])
})

it('leaves what users typed: names, unknown codes, and the values of tags', () => {
  expect(describe('playlist.name', 'paused')).toBe('paused')
  expect(describe('playlist.state', 'archived')).toBe('archived')
  expect(describe('device.role', 'manager', false)).toBe('manager')
})

const [one, other] = ['0193a1f0-0000-7000-8000-00000000000d', '0193a1f0-0000-7000-8000-00000000000e']

it('finds the uids in a text', () => {
  expect(splitAtUids(`Group: ${one}\nThe rest`)).toEqual([
    { uid: null, text: 'Group: ' },
    { uid: one, text: one },
    { uid: null, text: '\nThe rest' },
  ])
  expect(splitAtUids(one)).toEqual([{ uid: one, text: one }])
})

it.each([
  ['Music of the morning', 'Music of the morning'],
  ['One line\nand another', 'One line, and another'],
  ['Music of the morning, of noon and of the evening', 'Music of the morning, of noon and of the…'],
  [one, one],
  [`${one}\n${other}`, `${one}…`],
  [`Media item: ${one}`, `Media item: ${one}`],
  [`Media item: ${one}, and more`, `Media item: ${one}…`],
])('shows %j in a list as %j', (text, shown) => {
  expect(shorten(text)).toBe(shown)
})
