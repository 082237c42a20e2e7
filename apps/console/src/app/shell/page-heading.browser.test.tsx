import { CallError } from '@floorcast/contract/client.ts'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createStore, useStore } from '../../platform/store.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { findBarriers } from '../../testing/find-barriers.ts'
import { fetchWaiting } from '../../ui/overlay/on-demand.tsx'
import { PageHeading } from './page-heading.tsx'

/** The item as the server has it; the change feed shows it at once. */
const stored = createStore({ name: '', version: 1 })
beforeEach(async () => {
  stored.set({ name: 'Harbour', version: 1 })
  await fetchWaiting()
})

async function save({ name, version }: { name: string; version: number }) {
  if (version !== stored.get().version) throw new CallError(409, null)
  stored.set({ name, version: version + 1 })
}
const changeElsewhere = (name: string) => stored.set({ name, version: stored.get().version + 1 })

function StoredHeading({ isFixed = false }: { isFixed?: boolean }) {
  const { name, version } = useStore(stored)
  return (
    <>
      <PageHeading name={name} renaming={isFixed ? null : { name, version, save }} />
      <button>{'Elsewhere'}</button>
    </>
  )
}

const heading = (name: string) => expect.element(page.getByRole('heading', { level: 1, name })).toBeVisible()
const pencil = page.getByRole('button', { name: 'Rename' })
const field = (name: string) => page.getByRole('textbox', { name: `New name of ${name}` })
const undo = () => page.getByRole('button', { name: 'Undo' }).last().click()
/** Types over the selected name of the field that has just been opened. */
async function type(name: string, next: string) {
  await expect.element(field(name)).toHaveFocus()
  await userEvent.keyboard(next)
}

it('is edited by its pencil or F2: Escape restores the name and the focus, Enter saves, Undo takes it back', async () => {
  await drawComponent(<StoredHeading />)
  await heading('Harbour')
  pencil.element().focus()
  await userEvent.keyboard('{Enter}')
  await type('Harbour', 'No')
  await expect.element(page.getByText('At least 3 characters')).toBeVisible()
  expect(await findBarriers()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await heading('Harbour')
  await expect.element(pencil).toHaveFocus()
  await userEvent.keyboard('{F2}')
  await type('Harbour', 'Harbour north{Enter}')
  await heading('Harbour north')
  expect(stored.get().name).toBe('Harbour north')
  await undo()
  await heading('Harbour')
  expect(stored.get().name).toBe('Harbour')
})

it('is edited by a click on it, and saved when the focus goes elsewhere', async () => {
  await drawComponent(<StoredHeading />)
  await page.getByRole('heading', { level: 1 }).click()
  await type('Harbour', 'Harbour south')
  await page.getByRole('button', { name: 'Elsewhere' }).click()
  await expect.poll(() => stored.get().name).toBe('Harbour south')
  const told = page.getByRole('status').filter({ hasText: 'The name is now “Harbour south”' })
  await expect.element(told).toBeVisible()
})

it('overwrites no name that somebody else has changed, and Undo overwrites none either', async () => {
  await drawComponent(<StoredHeading />)
  await heading('Harbour')
  await userEvent.keyboard('{F2}')
  await type('Harbour', 'Mine')
  changeElsewhere('Theirs')
  await expect.element(field('Theirs')).toHaveValue('Mine')
  await userEvent.keyboard('{Enter}')
  await expect
    .element(page.getByRole('alert').getByText('Its name is now “Theirs”', { exact: false }))
    .toBeVisible()
  expect(stored.get().name).toBe('Theirs')
  await userEvent.keyboard('{Enter}')
  await heading('Mine')
  changeElsewhere('Harbour')
  await undo()
  await expect.element(page.getByText('Someone else changed this', { exact: false })).toBeVisible()
  expect(stored.get().name).toBe('Harbour')
})

it('is a heading alone where the name may not be changed', async () => {
  await drawComponent(<StoredHeading isFixed />)
  await heading('Harbour')
  await userEvent.keyboard('{F2}')
  await page.getByRole('heading', { level: 1 }).click()
  await expect.element(pencil).not.toBeInTheDocument()
  await expect.element(page.getByRole('textbox')).not.toBeInTheDocument()
})

it('has a field of the width of a phone, and Cancel restores the name', async () => {
  await drawComponent(<StoredHeading />, { width: 400 })
  await pencil.click()
  await expect.element(field('Harbour')).toBeVisible()
  expect(field('Harbour').element().getBoundingClientRect().width).toBeGreaterThan(240)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await heading('Harbour')
})
