import { expect, it } from 'vitest'
import { allRows, chooseRows, describeSelection, isRowChosen, noRows } from './use-selection.ts'

it('single rows are kept over pages, and left one by one', () => {
  const two = chooseRows(chooseRows(noRows, ['a'], true), ['z'], true)
  expect(describeSelection(two, 100)).toEqual({ kind: 'some', uids: ['a', 'z'], count: 2 })
  const one = chooseRows(two, ['a'], false)
  expect([isRowChosen(one, 'a'), isRowChosen(one, 'z')]).toEqual([false, true])
})

it('all that match are chosen without being named', () => {
  expect(isRowChosen(allRows, 'never seen')).toBe(true)
  expect(describeSelection(allRows, 250)).toEqual({ kind: 'all', except: [], count: 250 })
})

it('all that match but some, which can be taken in again', () => {
  const allBut = chooseRows(allRows, ['a', 'b'], false)
  expect(isRowChosen(allBut, 'a')).toBe(false)
  expect(describeSelection(allBut, 250)).toEqual({ kind: 'all', except: ['a', 'b'], count: 248 })
  expect(describeSelection(chooseRows(allBut, ['a'], true), 250)).toEqual({
    kind: 'all',
    except: ['b'],
    count: 249,
  })
})

it('all that match never count below none, when what matched is gone', () => {
  expect(describeSelection(chooseRows(allRows, ['a', 'b'], false), 1).count).toBe(0)
})
