import { expect, it } from 'vitest'
import { isSearchable } from '../../platform/spaceless.ts'
import type { Found } from './find-items.ts'
import { actionStart, mayDo, splitAction, stepOf } from './palette-actions.ts'

const item = (kind: Found['kind'], state: Found['state'] = null): Found => ({
  kind,
  uid: 'u1',
  name: 'Oslo 1',
  path: '/x',
  state,
})

it('an action that is typed is split from the name of its item', () => {
  expect(splitAction('activate sum', 'Activate …')).toBe('sum')
  expect(splitAction('act summer mix', 'Activate …')).toBe('summer mix')
  expect(splitAction('play log bak', 'Play log of …')).toBe('bak')
  expect(splitAction('Play log of Bakery', 'Play log of …')).toBe('bakery')
  expect(splitAction('publish', 'Publish …')).toBe('')
})

it('an action that is typed is none where the text begins otherwise', () => {
  expect(splitAction('of bakery', 'Play log of …')).toBeNull()
  expect(splitAction('bakery', 'Activate …')).toBeNull()
  expect(splitAction('', 'Activate …')).toBeNull()
})

it('an action that is typed needs no space in a script without spaces', () => {
  expect(splitAction('发布南京路店', '发布 …')).toBe('南京路店')
  expect(splitAction('发布 南京路店', '发布…')).toBe('南京路店')
  expect(splitAction('发', '发布…')).toBe('')
  expect(splitAction('查看南京路店的标签', '查看…的标签')).toBe('南京路店')
  expect(splitAction('查看南京', '查看…的标签')).toBe('南京')
  expect(splitAction('南京路店', '发布…')).toBeNull()
  expect(splitAction('publishoslo', 'Publish …')).toBeNull()
  expect(actionStart('查看…的标签')).toBe('查看')
  expect(actionStart('Play log of …')).toBe('Play log of ')
})

it('an action that is typed searches for two characters, or for one of a script without spaces', () => {
  expect(['o', 'os', '店', ''].map(isSearchable)).toEqual([false, true, true, false])
})

it('an action that is typed fits its kinds and states alone', () => {
  expect(stepOf('activate', item('playlist', 'paused'))).toEqual({
    kind: 'playlist',
    uid: 'u1',
    from: 'paused',
  })
  expect(stepOf('activate', item('playlist', 'active'))).toBeNull()
  expect(stepOf('pause', item('device'))).toBeNull()
  expect(stepOf('playLog', item('device'))).toEqual({ path: '/security/playTrack/u1' })
  expect(stepOf('playLog', item('media'))).toBeNull()
  expect(stepOf('publish', item('group', 'active'))).toEqual({ path: '/x?publish=group%3Au1' })
})

it('an action that is typed is for those who may do it', () => {
  expect(mayDo('activate', { role: 'manager', rights: 'view' })).toBe(false)
  expect(mayDo('activate', { role: 'manager', rights: 'full' })).toBe(true)
  expect(mayDo('history', { role: 'manager', rights: 'full' })).toBe(false)
  expect(mayDo('listen', { role: 'manager', rights: 'view' })).toBe(true)
  expect(mayDo('listen', { role: 'streamer', rights: 'full' })).toBe(false)
})
