import type { LocaleCode } from '@floorcast/contract/locales.ts'
import { useState } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { findBarriers } from '../../testing/find-barriers.ts'
import { Modal } from '../overlay/overlays.tsx'
import { DateField } from './date-field.tsx'

let last: string

function Form({ min }: { min?: string }) {
  const [day, setDay] = useState('2026-11-22')
  const change = (next: string) => {
    last = next
    setDay(next)
  }
  return (
    <Modal
      opened
      onClose={() => void (last = 'closed')}
      title={'Period'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <DateField label={'From'} value={day} onChange={change} min={min} />
      <button onClick={() => change('2026-01-01')}>{'New year'}</button>
    </Modal>
  )
}

beforeEach(() => {
  last = 'untouched'
})

const draw = (language: LocaleCode = 'en', min?: string) =>
  drawComponent(<Form {...(min === undefined ? {} : { min })} />, { language })
const field = page.getByRole('textbox', { name: 'From' })
const grid = page.getByRole('grid')
const focused = () => document.activeElement?.getAttribute('aria-label')
const spaceless = () => (field.element() as HTMLInputElement).value.replaceAll(/[\s\u200f]+/gu, ' ')

it.each([
  ['en', 'Nov 22, 2026', '12/3/2026', 'Dec 3, 2026'],
  ['de', '22.11.2026', '3.12.26', '03.12.2026'],
  ['ar', '22 /11 /2026', '٣/١٢/٢٠٢٦', '03 /12 /2026'],
  ['cn', '2026年11月22日', '2026/12/3', '2026年12月3日'],
] as const)(
  'a field for a date writes and takes a date in the console’s own language: %s',
  async (...[language, shown, typed, then]) => {
    await draw(language)
    await expect.poll(spaceless).toBe(shown)
    await field.fill(typed)
    await userEvent.tab()
    await expect.poll(spaceless).toBe(then)
    expect(last).toBe('2026-12-03')
    expect(await findBarriers()).toEqual([])
  },
)

it('a field for a date says what is wrong once it is left, tells its owner, and takes another day from elsewhere', async () => {
  await draw('en', '2026-02-01')
  await field.fill('11/22/20')
  expect(last).toBe('11/22/20')
  await field.fill('22/11/2026')
  await expect.element(field).not.toHaveAttribute('aria-invalid', 'true')
  await userEvent.tab()
  await expect.element(field).toHaveAccessibleDescription(/Enter a date, such as \w+\s\d/)
  expect(last).toBe('22/11/2026')
  await page.getByRole('button', { name: 'New year' }).click()
  await expect.element(field).toHaveAccessibleDescription(/Not before Feb\s1,\s2026/)
  await field.fill('')
  expect(last).toBe('')
})

it('its calendar is used by keyboard alone, and closes before the dialog around it', async () => {
  await draw()
  await field.click()
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(focused).toBe('Sunday, November 22, 2026')
  expect(await findBarriers()).toEqual([])
  await userEvent.keyboard('{ArrowRight}{ArrowDown}')
  await expect.poll(focused).toBe('Monday, November 30, 2026')
  await userEvent.keyboard('{PageDown}{Home}')
  await expect.poll(focused).toBe('Sunday, December 27, 2026')
  await userEvent.keyboard('{Escape}')
  await expect.element(grid).not.toBeInTheDocument()
  await expect.element(field).toHaveFocus()
  expect(last).toBe('untouched')
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(grid).toBeVisible()
  await userEvent.keyboard('{Shift>}{PageUp}{/Shift}{Enter}')
  await expect.poll(() => last).toBe('2025-11-22')
  await expect.element(grid).not.toBeInTheDocument()
})

it('its calendar runs from right to left, its keys too, and has an end', async () => {
  await draw('ar', '2026-11-21')
  await field.click()
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(focused).toContain('22')
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
  await expect.poll(focused).toContain('21')
  await userEvent.keyboard('{ArrowLeft}')
  await expect.poll(focused).toContain('22')
  await page.getByRole('button', { name: 'مسح' }).click()
  await expect.poll(() => last).toBe('')
})
