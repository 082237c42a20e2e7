import { expect, it } from 'vitest'
import { nameFields, namePerson } from './person-name.ts'

it.each([
  ['Inês', 'Prado', 'Inês Prado'],
  ['小明', '王', '王小明'],
  ['Anna', '王', 'Anna 王'],
  ['', 'Prado', 'Prado'],
  ['王小明', '', '王小明'],
  ['', '', ''],
])('names %s %s as %s', (firstName, lastName, name) => {
  expect(namePerson({ firstName, lastName })).toBe(name)
})

it('asks for the family name first in Chinese', () => {
  expect(nameFields('zh-Hans')).toEqual(['lastName', 'firstName'])
  expect(nameFields('de')).toEqual(['firstName', 'lastName'])
})
