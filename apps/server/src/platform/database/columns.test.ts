import { expect, expectTypeOf, test } from 'vitest'
import type { Tables } from '../../../database/tables.ts'
import { type InsertOf, pick, type UpdateOf } from './columns.ts'
import type { Updateable } from 'kysely'

const columns = ['name', 'description'] as const

test('the list of a write has every field of its call, and columns of its table only', () => {
  expectTypeOf<UpdateOf<'groups', typeof columns, 'name'>>().toEqualTypeOf<
    Pick<Updateable<Tables['groups']>, 'name' | 'description'>
  >()
  // @ts-expect-error -- the state is not in the list
  expectTypeOf<UpdateOf<'groups', typeof columns, 'name' | 'state'>>().not.toBeNever()
  // @ts-expect-error -- a group has no artist
  expectTypeOf<InsertOf<'groups', readonly ['name', 'artist']>>().not.toBeNever()
})

test('a write takes the columns of its list, and nothing else that a row has', () => {
  const row = { name: 'North', version: 7 }
  expect(pick<typeof row & { description?: string }, 'name' | 'description'>(row, columns)).toEqual({
    name: 'North',
    description: undefined,
  })
})

test('a column that the database makes is in no write', () => {
  expectTypeOf<Updateable<Tables['devices']>>().not.toHaveProperty('sortName')
  expectTypeOf<Updateable<Tables['mediaItems']>>().not.toHaveProperty('uploadedAt')
})
