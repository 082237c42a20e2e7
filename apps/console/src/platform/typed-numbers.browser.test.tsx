import { NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { HourField } from '../features/wizard/hours-step.tsx'
import { drawComponent } from '../testing/draw-component.tsx'
import { followTypedNumbers, readTypedNumber } from './typed-numbers.ts'

followTypedNumbers()

const labels = { number: 'Number', hour: 'Hour', name: 'Name' }

function Fields() {
  const [number, setNumber] = useState<string | number>('')
  const [hour, setHour] = useState('')
  return (
    <>
      <NumberInput label={labels.number} value={number} onChange={setNumber} decimalScale={2} />
      <HourField label={labels.hour} value={hour} onChange={setHour} />
      <TextInput label={labels.name} />
      <output>{JSON.stringify({ number, hour })}</output>
    </>
  )
}
const shown = () => JSON.parse(document.querySelector('output')?.textContent ?? '{}') as object

beforeEach(async () => {
  await drawComponent(<Fields />)
})

it.each([
  ['Arabic', '١٢٫٥', 12.5],
  ['Persian', '۴۲', 42],
  ['full-width', '１２．５', 12.5],
])('a field for numbers takes %s digits', async (_, typed, number) => {
  const field = page.getByLabelText('Number')
  await field.click()
  await userEvent.keyboard(typed)
  await expect.poll(shown).toMatchObject({ number })
  await expect.element(field).toHaveValue(String(number))
})

it('keeps the caret where it is', async () => {
  const field = page.getByLabelText('Number')
  await field.fill('15')
  await field.click()
  await userEvent.keyboard('{Home}{ArrowRight}٢٣')
  await expect.poll(shown).toMatchObject({ number: 1235 })
})

it('a time of day is read too, and a name stays as it is typed', async () => {
  await page.getByRole('combobox', { name: 'Hour' }).click()
  await userEvent.keyboard('٩：٣٠')
  await expect.poll(shown).toMatchObject({ hour: '09:30' })
  await page.getByLabelText('Name').click()
  await userEvent.keyboard('٢٤')
  await expect.element(page.getByLabelText('Name')).toHaveValue('٢٤')
})

it('reads signs beside digits', () => {
  expect(readTypedNumber('－１，２３４．５')).toBe('-1,234.5')
  expect(readTypedNumber('١٬٢٣٤')).toBe('1234')
})
