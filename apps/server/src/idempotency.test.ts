import { setTimeout as pause } from 'node:timers/promises'
import { authenticate } from '@floorcast/contract/auth.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import {
  addGroup,
  changeGroupState,
  deleteGroup,
  editGroup,
  listGroups,
  readGroup,
} from '@floorcast/contract/groups.ts'
import { listMedia } from '@floorcast/contract/media.ts'
import { deletePlaylist } from '@floorcast/contract/playlists.ts'
import { importTags } from '@floorcast/contract/tag-calls.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeUploadRequest } from '@floorcast/testing/media-upload-form.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { startAnother } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { expect, test } from 'vitest'
import { HELD_MS } from './platform/http/answer/idempotency.ts'

const server = await wholeServer()
const second = await startAnother(server)
const { token, email, scope } = await server.newClient()
const audio = { contentType: 'audio' }

let keys = 0
const newKey = () => `key-${(keys += 1)}`

interface Asked {
  params?: object
  query?: object
  body?: object
  token?: string
  app?: typeof second
}

/** Calls with a key, on the first server unless told. */
async function ask(
  key: string,
  endpoint: Endpoint,
  { params, query, body, token: of = token, app = server.http.app }: Asked,
) {
  const answer = await app.inject({
    method: endpoint.method as 'GET',
    url: buildPath(endpoint.path, params, query),
    headers: { authorization: `Bearer ${of}`, 'idempotency-key': key },
    ...(body && { payload: body }),
  })
  const { data, code } = answer.json<{ data?: { code: number; uid?: string }; code?: string }>()
  return {
    status: answer.statusCode,
    data,
    code,
    isReplayed: answer.headers['idempotency-replayed'] === 'true',
  }
}

const add = (key: string, name: string, of = token) =>
  ask(key, addGroup, { params: audio, body: { name }, token: of })
const countGroups = async (search: string) =>
  (await server.call(listGroups, { token, params: { x: 'audio' }, query: { search } })).total
const asOwner = (statement: string) =>
  asSuperuser(server.superuserUrl, superuser => superuser.query(statement))

test('a change with a key is done once, and repeated calls get the same answer', async () => {
  const key = newKey()
  const first = await add(key, 'Only once')
  expect(first).toMatchObject({ status: 200, data: { code: 200 }, isReplayed: false })
  for (let nr = 0; nr < 3; nr += 1)
    expect(await add(key, 'Only once')).toEqual({ ...first, isReplayed: true })
  expect(await countGroups('Only once')).toBe(1)
  const { rows } = await asOwner(
    `select encode(answer, 'escape') as answer from idempotency_keys where key = '${key}'`,
  )
  expect(JSON.stringify(rows)).not.toContain(String(first.data?.uid))
})

test('a key stands for one call: another body, address or method is refused', async () => {
  const key = newKey()
  const { data } = await add(key, 'With a key')
  const uid = data?.uid ?? ''
  expect(await add(key, 'With another body')).toMatchObject({ status: 422, code: 'key-reused' })
  const edit = await ask(key, editGroup, { body: { uid, name: 'With a key', version: 1 } })
  expect(edit).toMatchObject({ status: 422, code: 'key-reused' })
  expect(await countGroups('With a')).toBe(1)
})

test('the keys of another client and of a malformed form', async () => {
  const other = await server.newClient()
  const key = newKey()
  const [mine, theirs] = [await add(key, 'Of one client'), await add(key, 'Of one client', other.token)]
  expect([mine.isReplayed, theirs.isReplayed, theirs.status]).toEqual([false, false, 200])
  expect(theirs.data?.uid).not.toBe(mine.data?.uid)
  for (const wrong of ['two words', 'é', 'x'.repeat(256)])
    expect(await add(wrong, 'Never made')).toMatchObject({ status: 400, code: 'idempotency-key' })
  expect(await countGroups('Never made')).toBe(0)
})

test('a changing GET with a key changes once; a read ignores the key', async () => {
  const { data } = await add(newKey(), 'Turned once')
  await makeDevice(scope, { groupUid: data?.uid ?? '' })
  const key = newKey()
  const turn = () => ask(key, changeGroupState, { params: { id: data?.uid } })
  const first = await turn()
  expect(await turn()).toEqual({ ...first, isReplayed: true })
  const read = await ask(key, readGroup, { params: { id: data?.uid } })
  expect(read).toMatchObject({ status: 200, isReplayed: false, data: { state: 'active' } })
})

test('a refusal is an answer; an error is none, and the call with its key can be made again', async () => {
  const shop = await newShop(server)
  const { uid, playlist } = await readyPublication(shop)
  await shop.turn(uid)
  const key = newKey()
  const remove = () => ask(key, deletePlaylist, { body: { uid: playlist }, token: shop.token })
  const refused = await remove()
  expect(refused).toMatchObject({ status: 200, data: { code: 409 } })
  await shop.turn(uid)
  expect(await remove()).toEqual({ ...refused, isReplayed: true })

  const again = newKey()
  expect(await add(again, 'x')).toMatchObject({ status: 422, code: 'wrong-fields' })
  expect(
    await ask(again, deleteGroup, { body: { uid: '01933d4e-0000-7000-8000-00000000000f' } }),
  ).toMatchObject({ status: 404 })
  expect(await add(again, 'Corrected')).toMatchObject({ status: 200, isReplayed: false })
})

test('of calls with one key at once, on two servers, one is done and the others wait for its answer', async () => {
  for (let round = 0; round < 10; round += 1) {
    const key = newKey()
    const name = `At once ${round}.`
    const asked = { params: audio, body: { name } }
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, nr) =>
        ask(key, addGroup, { ...asked, app: nr % 2 === 0 ? server.http.app : second }),
      ),
    )
    expect(new Set(answers.map(({ data }) => data?.uid)).size).toBe(1)
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1)
    expect(await countGroups(name)).toBe(1)
  }
})

test('a call whose first run hangs in its transaction waits for it, also after the time of the run', async () => {
  const key = newKey()
  await asSuperuser(server.superuserUrl, async superuser => {
    await superuser.query('begin')
    await superuser.query('lock table groups in exclusive mode')
    const first = add(key, 'Hangs')
    await pause(200)
    server.clock.now = new Date(server.clock.now.getTime() + HELD_MS + 1)
    const other = ask(key, addGroup, { params: audio, body: { name: 'Hangs' }, app: second })
    await pause(200)
    await superuser.query('rollback')
    const answers = await Promise.all([first, other])
    expect(answers.map(({ status, isReplayed }) => [status, isReplayed])).toEqual([
      [200, false],
      [200, true],
    ])
  })
  expect(await countGroups('Hangs')).toBe(1)
})

const FAIL = `create or replace function fail() returns trigger language plpgsql as $$ begin raise 'fault'; end $$;
  create trigger fault before`

test('a run that ended before its change is taken over after its time', async () => {
  const key = newKey()
  // The key's row stays, as it does after a kill.
  await asOwner(`${FAIL} update or delete on idempotency_keys for each row execute function fail()`)
  expect(await add(key, 'Taken over')).toMatchObject({ status: 500 })
  await asOwner('drop trigger fault on idempotency_keys')
  expect(await countGroups('Taken over')).toBe(0)
  server.clock.now = new Date(server.clock.now.getTime() + HELD_MS + 1)
  expect(await add(key, 'Taken over')).toMatchObject({ status: 200, data: { code: 200 }, isReplayed: false })
  expect(await add(key, 'Taken over')).toMatchObject({ status: 200, isReplayed: true })
  expect(await countGroups('Taken over')).toBe(1)
})

test('of a run that ended after its change and before its answer the caller is told, and nothing is done twice', async () => {
  const key = newKey()
  await asOwner(
    `${FAIL} update on idempotency_keys for each row when (new.answer is not null) execute function fail()`,
  )
  expect(await add(key, 'Answer lost')).toMatchObject({ status: 500 })
  await asOwner('drop trigger fault on idempotency_keys')
  server.clock.now = new Date(server.clock.now.getTime() + HELD_MS + 1)
  expect(await add(key, 'Answer lost')).toMatchObject({ status: 409, code: 'answer-lost' })
  expect(await countGroups('Answer lost')).toBe(1)
})

test('an upload and a large body with a key are taken once', async () => {
  const key = newKey()
  const upload = async () => {
    const request = await makeUploadRequest('melodies', { path: 'testing/media/mono.mp3', name: 'once.mp3' })
    const headers = { ...request.headers, authorization: `Bearer ${token}`, 'idempotency-key': key }
    return server.http.app.inject({ ...request, headers })
  }
  const [first, again] = [await upload(), await upload()]
  expect(first.json()).toMatchObject({ data: { code: 200 } })
  expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true'])
  expect(
    (await server.call(listMedia, { token, params: { contentType: 'melodies' }, query: { search: 'once' } }))
      .total,
  ).toBe(1)

  const tags = [{ contentType: 'client', key: 'season', value: 'winter' }]
  const large = newKey()
  const imported = await ask(large, importTags, { body: tags })
  expect(imported).toMatchObject({ status: 200 })
  expect(await ask(large, importTags, { body: tags })).toEqual({ ...imported, isReplayed: true })
})

test('a key is kept for a day', async () => {
  const key = newKey()
  await add(key, 'Each day')
  const later = async (ms: number) => {
    server.clock.now = new Date(server.clock.now.getTime() + ms)
    const session = await server.call(authenticate, { body: { email, password: 'a long password' } })
    return add(key, 'Each day', session.token)
  }
  expect(await later(24 * 3_600_000 - 1000)).toMatchObject({ status: 200, isReplayed: true })
  expect(await later(2000)).toMatchObject({ status: 200, isReplayed: false })
})
