import { addGroup } from '@floorcast/contract/groups.ts'
import { uploadMedia } from '@floorcast/contract/media.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { expect, it } from 'vitest'

const server = await wholeServer()
const { token } = await server.newClient()

async function refusal(path: string, type: string, payload: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type }
  const answer = await server.http.app.inject({ method: 'POST', url: path, headers, payload })
  return [answer.statusCode, answer.json<Problem>().detail]
}
const group = addGroup.path.replace('{contentType}', 'audio')
const upload = uploadMedia.path.replace('{contentType}', 'ads')
const FORM = 'multipart/form-data; boundary=x'
const field = (name: string) =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nPlayed all day\r\n`

it('a body that is too large is told how much the call takes', async () => {
  expect(await refusal(group, 'application/json', JSON.stringify('x'.repeat(1_100_000)))).toEqual([
    413,
    'The largest body that this call takes is 1048576 bytes.',
  ])
})

it('what is no JSON is told where', async () => {
  const [status, detail] = await refusal(group, 'application/json', '{"name": "x", nothing}')
  expect([status, detail]).toEqual([400, expect.stringContaining('at position 14')])
  expect(await refusal(group, 'application/json', '{"__proto__": {}}')).toEqual([
    400,
    'A key such as __proto__ is not allowed',
  ])
})

it('what nests without end is told where', async () => {
  expect(await refusal(group, 'application/json', `{"name": ${'['.repeat(100_000)}`)).toEqual([
    400,
    'Nested deeper than 32 levels at character 41',
  ])
})

it('another type is told which are taken', async () => {
  const either =
    'Bodies are JSON (application/json), those with a file forms (multipart/form-data with a boundary).'
  expect(await refusal(group, 'text/plain', 'name=abc')).toEqual([415, either])
  expect(await refusal(group, FORM, `${field('name')}--x--`)).toEqual([415, 'This call takes JSON.'])
  expect(await refusal(upload, 'application/json', '{}')).toEqual([
    415,
    'This call takes a form (multipart/form-data with a boundary).',
  ])
})

it('a form with too many fields is told how many', async () => {
  const form = `${field('description').repeat(21)}--x--`
  expect(await refusal(upload, FORM, form)).toEqual([413, 'A form has at most 4 files and 20 fields.'])
})
