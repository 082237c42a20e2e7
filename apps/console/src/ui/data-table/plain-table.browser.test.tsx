import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { findBarriers } from '../../testing/find-barriers.ts'
import { PlainTable } from './plain-table.tsx'

const columns = ['one', 'two', 'three'].map(id => ({
  id,
  header: `The column ${id}`,
  cell: () => `A value that is not broken in lines, of ${id}`.replaceAll(' ', '\u00a0'),
}))
const label = 'Tags'
const drawIn = (width: number) =>
  drawComponent(
    <div style={{ width }}>
      <PlainTable label={label} columns={columns} rows={[{}]} rowKey={() => 'row'} />
    </div>,
  )

it('a table that is wider than its place takes the focus, so that the arrow keys reach its end', async () => {
  await page.viewport(1440, 800)
  await drawIn(500)
  const region = page.getByRole('group', { name: label })
  await expect.element(region).toBeVisible()
  await userEvent.tab()
  await expect.element(region).toHaveFocus()
  expect(await findBarriers()).toEqual([])
})

it('a table that fits is no stop on the way through the page', async () => {
  await page.viewport(1440, 800)
  await drawIn(1400)
  await expect.element(page.getByRole('table', { name: label })).toBeVisible()
  await expect.element(page.getByRole('group', { name: label })).not.toBeInTheDocument()
})
