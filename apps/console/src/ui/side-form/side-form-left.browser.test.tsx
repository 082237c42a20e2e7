import { CallError } from '@floorcast/contract/client.ts'
import { Name } from '@floorcast/contract/fields.ts'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { z } from 'zod'
import { drawComponent } from '../../testing/draw-component.tsx'
import { SideForm } from './side-form.tsx'

let ended: PromiseWithResolvers<void>

function ShopPage() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button onClick={() => setIsOpen(true)}>{'Edit'}</button>
      {isOpen && (
        <SideForm
          title={'Shop'}
          schema={z.object({ name: Name })}
          initial={{ name: 'Corner shop' }}
          onSave={() => ended.promise}
          onClose={() => setIsOpen(false)}
        >
          {form => <TextInput label={'Name'} {...form.getInputProps('name')} />}
        </SideForm>
      )}
    </>
  )
}

const field = page.getByRole('textbox', { name: 'Name' })

/** Saves, and leaves the form before the server has answered. */
async function leaveSaving() {
  ended = Promise.withResolvers()
  await page.getByRole('button', { name: 'Edit' }).click()
  await field.fill('Renamed')
  await page.getByRole('button', { name: 'Save' }).click()
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await expect.element(field).not.toBeInTheDocument()
}

it('a form that is left while it is saved tells by a toast that it was refused', async () => {
  await drawComponent(<ShopPage />)
  await leaveSaving()
  ended.reject(new CallError(409, null))
  await expect.element(page.getByText('Someone else changed this. Reload and try again.')).toBeVisible()
})

it('a form that is left while it is saved does not close the same form that is open again', async () => {
  await drawComponent(<ShopPage />)
  await leaveSaving()
  await page.getByRole('button', { name: 'Edit' }).click()
  await field.fill('Typed again')
  ended.resolve()
  await new Promise(resolve => setTimeout(resolve, 100))
  await expect.element(field).toHaveValue('Typed again')
})
