import { readAudit } from '@floorcast/contract/audit.ts'
import {
  addSavedView,
  deleteSavedView,
  editSavedView,
  listSavedViews,
  MAX_VIEWS,
  shareSavedView,
  type SavedViewDraft,
} from '@floorcast/contract/saved-views.ts'
import { removeUser } from '@floorcast/contract/users.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerUsers } from '../tenants/users-routes.ts'
import { registerSavedViews } from './saved-views-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ features: [registerUsers, registerSavedViews, registerAudit] })
})

type Draft = Partial<SavedViewDraft>

const LATE: SavedViewDraft = {
  list: 'devices',
  name: 'Late shops',
  search: 'berlin',
  sort: 'lastContactAt',
  dir: 'desc',
  filters: { connectivity: 'late,linkdown' },
  columns: ['name', 'connectivity'],
}

const callsOf = ({ token }: { token: string }) => ({
  token,
  list: (list = 'devices') => server.call(listSavedViews, { token, params: { list } }),
  add: (draft: Draft = {}) => server.call(addSavedView, { token, body: { ...LATE, ...draft } }),
  ask: {
    add: (draft: Draft = {}) => server.ask(addSavedView, { token, body: { ...LATE, ...draft } }),
    edit: (body: object) => server.ask(editSavedView, { token, body }),
    share: (uid: string, isShared: boolean) => server.ask(shareSavedView, { token, body: { uid, isShared } }),
    remove: (uid: string) => server.ask(deleteSavedView, { token, body: { uid } }),
  },
  share: (uid: string, isShared: boolean) => server.call(shareSavedView, { token, body: { uid, isShared } }),
  edit: (body: object) => server.call(editSavedView, { token, body }),
  remove: (uid: string) => server.call(deleteSavedView, { token, body: { uid } }),
})

/** A client with its admin, an editor and a user who may only read. */
async function newOffice() {
  const client = await server.newClient()
  const editor = await signedInUser(client.scope)
  const reader = await signedInUser(client.scope, { rights: 'view' })
  return {
    client,
    editorUid: editor.uid,
    admin: callsOf(client),
    editor: callsOf(editor),
    reader: callsOf(reader),
  }
}

it('saved views belong to a list and to their user, with what they show', async () => {
  const { reader, admin } = await newOffice()
  const { uid } = await reader.add()
  await reader.add({ name: 'All groups', list: 'groups' })
  const { list: _, ...content } = LATE
  expect(await reader.list()).toEqual([{ uid, ...content, isShared: false, version: 1 }])
  expect((await reader.list('groups')).map(({ name }) => name)).toEqual(['All groups'])
  expect(await admin.list()).toEqual([])
})

it('saved views have no content unless it is given', async () => {
  const { admin } = await newOffice()
  const { uid } = await server.call(addSavedView, {
    token: admin.token,
    body: { list: 'groups', name: 'Everything' },
  })
  const nothing = { search: '', sort: null, dir: 'asc', filters: {}, columns: [] }
  expect(await admin.list('groups')).toEqual([
    { uid, name: 'Everything', isShared: false, version: 1, ...nothing },
  ])
})

it.each([
  { name: 'ab' },
  { list: 'nothing' },
  { dir: 'up' },
  { sort: 'a b' },
  { filters: { 'a b': 'c' } },
  { filters: { connectivity: '' } },
  { filters: { connectivity: 'a\u0000b' } },
  { filters: Object.fromEntries(Array.from({ length: 21 }, (__, nr) => [`f${nr}`, 'x'])) },
  { columns: ['name', '<b>'] },
  { search: 'a\u0000b' },
])('saved views refuse %j', async wrong => {
  const { admin } = await newOffice()
  const answer = await server.ask(addSavedView, { token: admin.token, body: { ...LATE, ...wrong } })
  expect(answer.statusCode).toBe(422)
  expect(await admin.list()).toEqual([])
})

it('saved views are at most fifty of a user and fifty that are shared, however many come at once', async () => {
  const { admin, editor } = await newOffice()
  for (let nr = 1; nr < MAX_VIEWS; nr++) await admin.add({ name: `View ${nr}` })
  const answers = await Promise.all(Array.from({ length: 4 }, () => admin.add()))
  expect(answers.map(({ code }) => code).toSorted((one, other) => one - other)).toEqual([200, 400, 400, 400])
  expect(await admin.add({ list: 'groups' })).toEqual({
    code: 400,
    reason: 'too-many-views',
    limit: MAX_VIEWS,
  })
  expect(await editor.add()).toMatchObject({ code: 200 })
  for (const { uid } of await admin.list()) await admin.share(uid, true)
  expect(await editor.list()).toHaveLength(MAX_VIEWS + 1)
  expect(await editor.add({ isShared: true })).toMatchObject({ code: 400, reason: 'too-many-views' })
  const [own] = (await editor.list()).filter(({ isShared }) => !isShared)
  expect(await editor.share(own?.uid ?? '', true)).toMatchObject({ code: 400, reason: 'too-many-views' })
})

it('a view is renamed and changed, once for each version', async () => {
  const { reader } = await newOffice()
  const { uid = '' } = await reader.add()
  await reader.edit({ uid, name: 'Later shops', version: 1 })
  await reader.edit({ uid, filters: {}, search: '', sort: null, columns: ['name'], version: 2 })
  expect((await reader.ask.edit({ uid, name: 'Another', version: 2 })).statusCode).toBe(409)
  expect(await reader.list()).toEqual([
    {
      uid,
      name: 'Later shops',
      isShared: false,
      search: '',
      sort: null,
      dir: 'desc',
      filters: {},
      columns: ['name'],
      version: 3,
    },
  ])
})

it('a view of another user or client is not found', async () => {
  const { admin, editor } = await newOffice()
  const stranger = callsOf(await server.newClient())
  const { uid = '' } = await admin.add()
  for (const { ask } of [editor, stranger]) {
    expect((await ask.edit({ uid, name: 'Mine now' })).statusCode).toBe(404)
    expect((await ask.share(uid, true)).statusCode).toBe(404)
    expect((await ask.remove(uid)).statusCode).toBe(404)
  }
  await admin.share(uid, true)
  expect(await stranger.list()).toEqual([])
  expect((await stranger.ask.remove(uid)).statusCode).toBe(404)
  expect((await admin.list()).map(({ name }) => name)).toEqual(['Late shops'])
})

it('a view goes with its user, and stays if it is shared', async () => {
  const { admin, editor, editorUid, client } = await newOffice()
  await editor.add({ name: 'Own one' })
  await editor.add({ name: 'Shared one', isShared: true })
  await server.call(removeUser, {
    token: admin.token,
    body: { uid: editorUid, password: 'a long password' },
  })
  const rows = await client.scope.reads.selectFrom('savedViews').select('name').execute()
  expect(rows).toEqual([{ name: 'Shared one' }])
  expect((await admin.list()).map(({ name }) => name)).toEqual(['Shared one'])
})

it('a shared view is seen by all users, and changed by those with full rights', async () => {
  const { admin, editor, reader } = await newOffice()
  const { uid = '' } = await admin.add()
  await admin.share(uid, true)
  for (const user of [admin, editor, reader])
    expect(await user.list()).toMatchObject([{ uid, isShared: true }])
  expect((await reader.ask.edit({ uid, name: 'Mine now' })).statusCode).toBe(403)
  expect((await reader.ask.share(uid, false)).statusCode).toBe(403)
  expect((await reader.ask.remove(uid)).statusCode).toBe(403)
  expect((await reader.ask.add({ isShared: true })).statusCode).toBe(403)
  await editor.edit({ uid, name: 'Later shops' })
  await editor.share(uid, true)
  expect(await reader.list()).toMatchObject([{ uid, name: 'Later shops', isShared: true }])
  await editor.share(uid, false)
  expect(await admin.list()).toEqual([])
  expect(await editor.list()).toMatchObject([{ uid, isShared: false }])
  await editor.share(uid, true)
  await admin.remove(uid)
  expect(await editor.list()).toEqual([])
})

it('a shared view has a history, which own views have not', async () => {
  const { admin, editor, client } = await newOffice()
  const { uid = '' } = await editor.add()
  await editor.edit({ uid, name: 'Later shops' })
  const written = () => server.ask(readAudit, { token: client.token, params: { id: uid } })
  expect((await written()).statusCode).toBe(404)
  await editor.share(uid, true)
  await admin.edit({ uid, search: 'lisboa' })
  await admin.share(uid, false)
  await admin.share(uid, true)
  await admin.remove(uid)
  const { items } = (await written()).json<{
    data: { items: { class: string; thingName: string; changes: object }[] }
  }>().data
  expect(items.map(entry => [entry.class, entry.changes])).toEqual([
    ['delete', {}],
    ['share', { isShared: [false, true] }],
    ['unshare', { isShared: [true, false] }],
    ['edit', { search: ['berlin', 'lisboa'] }],
    ['share', { isShared: [false, true] }],
  ])
  expect(items[0]?.thingName).toBe('Later shops')
})
