import { expect, it } from 'vitest'
import { closePublish, readPublishStart } from './publish-address.ts'

const read = (text: string) => readPublishStart(new URLSearchParams(text))

it('the address of the Publish sheet says that it is open and what is chosen in it', () => {
  expect(read('page=2')).toBeNull()
  expect(read('publish=new')).toEqual({})
  expect(read('publish=playlist:a1.group:b2')).toEqual({ playlist: 'a1', group: 'b2' })
})

it('the address of the Publish sheet ignores what a person has mistyped', () => {
  expect(read('publish=group:.device:c3.track:d4')).toEqual({ device: 'c3' })
})

it('the address of the Publish sheet keeps the rest of the address when it closes', () => {
  expect(closePublish(new URLSearchParams('page=2&publish=new&search=x')).toString()).toBe('page=2&search=x')
})
