import { expect, it } from 'vitest'
import { exampleTags, readFault, readTags } from './read-tags.ts'

it('a file of tags is read as the call takes it', () => {
  const file = readTags(exampleTags)
  expect(file).toMatchObject({ entries: [{ contentType: 'client', key: 'country' }, {}, {}, {}] })
})

it('a file of tags names the entry and the field of each fault', () => {
  const wrong = [
    { contentType: 'client', key: 'volume', value: '101' },
    { contentType: 'device', key: 'city', value: 'Oslo' },
    { contentType: 'shop', key: '', value: 'x' },
  ]
  const file = readTags(JSON.stringify(wrong))
  expect(file).toMatchObject({
    fault: 'entries',
    faults: [
      { entry: 1, field: 'value', rule: 'volume' },
      { entry: 2, field: 'uid', rule: 'empty' },
      { entry: 3, field: 'contentType' },
      { entry: 3, field: 'key' },
    ],
  })
})

it('a file of tags says the line of broken JSON, and what is no list', () => {
  expect(readTags('[\n  {"key": 1,\n  }\n]')).toEqual({ fault: 'no-json', line: 3 })
  expect(readTags('{}')).toEqual({ fault: 'no-list' })
  expect(readTags('[]')).toEqual({ fault: 'no-list' })
})

it("a file of tags takes the server's paths", () => {
  expect(readFault('12.name', 'ambiguous')).toEqual({ entry: 13, field: 'name', rule: 'ambiguous' })
})
