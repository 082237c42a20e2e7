import type { Updateable } from 'kysely'
import { expectTypeOf, test } from 'vitest'
import type { Tables } from '../../../database/tables.ts'
import type { EveryColumn } from './every-column.ts'

type GroupUpdate = Pick<Updateable<Tables['groups']>, 'name' | 'description'>

test('a write names every column that it may change', () => {
  const change: GroupUpdate = { name: 'North' }
  const whole = { name: change.name, description: change.description, changedAt: new Date() }
  expectTypeOf(whole).toExtend<EveryColumn<GroupUpdate>>()
  // @ts-expect-error -- the description is forgotten
  const forgetful = { name: change.name } satisfies EveryColumn<GroupUpdate>
  expectTypeOf(forgetful).not.toExtend<EveryColumn<GroupUpdate>>()
})

test('a column that the database makes is in no write', () => {
  expectTypeOf<Updateable<Tables['devices']>>().not.toHaveProperty('sortName')
  expectTypeOf<Updateable<Tables['mediaItems']>>().not.toHaveProperty('uploadedAt')
})
