import { CallError } from '@floorcast/contract/client.ts'
import { editGroup, listGroups, readGroup, type GroupCard } from '@floorcast/contract/groups.ts'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { groupCard } from '../../testing/group-row.ts'
import { fetchWaiting } from '../../ui/overlay/on-demand.tsx'
import { GroupsPage } from './groups-page.tsx'

const group = (n: number, name: string, more: Partial<GroupCard> = {}): GroupCard =>
  groupCard({ uid: `0193a1f0-0000-7000-8000-00000000090${n}`, name, ...more })

let server: FakeServer
let harbour: GroupCard
beforeEach(async () => {
  server = new FakeServer()
  harbour = group(1, 'Harbour')
  const items = () => [harbour, group(2, 'City shops', { state: 'active' })]
  server.answer(listGroups, () => ({ items: items(), total: 2, page: 1, size: 10 }))
  server.answer(readGroup, () => harbour)
  server.answer(editGroup, (_, body) => {
    const { name, version } = body as { name: string; version: number }
    if (version !== harbour.version) throw new CallError(409, null)
    harbour = { ...harbour, name, version: version + 1 }
    return { code: 200 }
  })
  await fetchWaiting()
})

const draw = (options?: Parameters<typeof drawComponent>[1]) =>
  drawComponent(
    <>
      <h1>{'Groups'}</h1>
      <GroupsPage />
    </>,
    options,
  )
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
const link = (name: string) => expect.element(page.getByRole('link', { name })).toBeVisible()
const undo = () => page.getByRole('button', { name: 'Undo' }).last().click()
const field = page.getByRole('textbox', { name: /^New name of/ })
const menuOf = (name: string) => page.getByRole('button', { name: `Actions for ${name}` })
const menuItem = (name: string) => page.getByRole('menuitem', { name })
async function renameByKey(name: string) {
  await link(name)
  row(name).element().focus()
  await userEvent.keyboard('{F2}')
  await expect.element(field).toHaveFocus()
}

it('the name in a row is changed by F2; the row has the focus again, and Undo takes it back', async () => {
  await draw()
  await renameByKey('Harbour')
  expect(await findBarriers()).toEqual([])
  await userEvent.keyboard('Harbour west{Enter}')
  await link('Harbour west')
  await expect.element(row('Harbour west')).toHaveFocus()
  await undo()
  await link('Harbour')
})

it('the name in a row is changed by its menu, but not while the group is active', async () => {
  await draw()
  await menuOf('Harbour').click()
  await menuItem('Rename').click()
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('Harbour east{Enter}')
  await link('Harbour east')
  await menuOf('City shops').click()
  await expect.element(menuItem('Move to the recycle bin')).toBeVisible()
  await expect.element(menuItem('Rename')).not.toBeInTheDocument()
})

it('the name in a row is not overwritten when somebody else has changed the item', async () => {
  await draw()
  await renameByKey('Harbour')
  await expect.poll(() => server.calls.some(({ call }) => call.includes('/group/qcard/'))).toBe(true)
  await userEvent.keyboard('Harbour west')
  harbour = { ...harbour, description: 'Moved', version: 2 }
  await userEvent.keyboard('{Enter}')
  await expect
    .element(page.getByRole('alert').getByText('Its name is now “Harbour”', { exact: false }))
    .toBeVisible()
  await userEvent.keyboard('{Escape}')
  await link('Harbour')
  expect(harbour).toMatchObject({ name: 'Harbour', description: 'Moved' })
})

it('the name in a row is not edited by users with view-only access', async () => {
  await draw({ user: { rights: 'view' } })
  await link('Harbour')
  row('Harbour').element().focus()
  await userEvent.keyboard('{F2}')
  await expect.element(menuOf('Harbour')).not.toBeInTheDocument()
  await expect.element(field).not.toBeInTheDocument()
})
