import { CallError } from '@floorcast/contract/client.ts'
import { Description, Email, Name } from '@floorcast/contract/fields.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { z } from 'zod'
import { personalize } from '../../platform/personalization.ts'
import { dropToken, saveSession } from '../../platform/session.ts'
import { drawComponent, signedInUser } from '../../testing/draw-component.tsx'
import { findBarriers } from '../../testing/find-barriers.ts'
import { MoreMenu } from '../more-menu.tsx'
import { Menu } from '../overlay/overlays.tsx'
import { NameFields } from './name-fields.tsx'
import { SideForm } from './side-form.tsx'

const Contact = z.object({ name: Name, description: Description, email: Email })
const initial = { name: 'Corner shop', description: '', email: 'corner@example.com' }
type Values = typeof initial

/** The saved values; `save` answers them. */
let saved: Values[]
let save: (values: Values) => Promise<unknown>

beforeEach(() => {
  saved = []
  save = async () => {}
})

/** A page with a button that opens the form, and a link that leads away. */
function ContactPage() {
  const [isOpen, setIsOpen] = useState(false)
  const send = (values: Values) => {
    saved.push(values)
    return save(values)
  }
  return (
    <>
      <h1>{'Contact'}</h1>
      <Button onClick={() => setIsOpen(true)}>{'Edit the contact'}</Button>
      <MoreMenu label={'More'} onDelete={null}>
        <Menu.Item onClick={() => setIsOpen(true)}>{'Edit'}</Menu.Item>
      </MoreMenu>
      <Link to="/elsewhere">{'Another page'}</Link>
      {isOpen && (
        <SideForm
          title={'Contact'}
          schema={Contact}
          initial={initial}
          onSave={send}
          onClose={() => setIsOpen(false)}
        >
          {form => (
            <>
              <NameFields form={form} />
              <TextInput label={'Email'} {...form.getInputProps('email')} />
            </>
          )}
        </SideForm>
      )}
    </>
  )
}

const opener = page.getByRole('button', { name: 'Edit the contact' })
const form = page.getByRole('dialog', { name: 'Contact' })
const question = page.getByRole('dialog', { name: 'Leave without saving?' })
const field = (name: string) => form.getByRole('textbox', { name })
const submit = form.getByRole('button', { name: 'Save' })
/** The form lies over it: a key or the address bar may lead away all the same. */
const followLink = () =>
  page
    .getByRole('link', { name: 'Another page', includeHidden: true })
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
const isOpen = () => expect.element(form).toBeVisible()
const isClosed = () => expect.element(form).not.toBeInTheDocument()

const hasFocusInside = () => form.element().contains(document.activeElement)

async function openForm(options?: Parameters<typeof drawComponent>[1]) {
  const drawn = await drawComponent(<ContactPage />, { path: '/contact', ...options })
  await page.getByRole('button', { name: 'Edit the contact' }).click()
  await isOpen()
  return drawn
}

/** The message that a screen reader reads with a field. */
const isWrong = async (name: string, message: string) => {
  await expect.element(field(name)).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field(name)).toHaveAccessibleDescription(new RegExp(message))
}
const isRight = (name: string) => expect.element(field(name)).not.toHaveAttribute('aria-invalid', 'true')

it('the rules of a form are told while one types, at the field, with what is used', async () => {
  await openForm()
  await expect.element(field('Name')).toHaveFocus()
  await field('Name').fill('ab')
  await isWrong('Name', 'At least 3 characters')
  await expect.element(form.getByText('3 to 50 characters, 2 used')).toBeVisible()
  await field('Name').fill('a'.repeat(51))
  await isWrong('Name', 'Too long')
  await field('Name').fill('Café #1')
  await isWrong('Name', 'Only letters, digits and common punctuation')
  await field('Name').fill('   ')
  await isWrong('Name', 'Cannot be empty')
  await field('Name').fill('Café 1 日本')
  await isRight('Name')
  await field('Description').fill('ab')
  await isWrong('Description', 'At least 3 characters')
  await field('Description').fill('')
  await isRight('Description')
  expect(saved).toEqual([])
})

it('the rules of a form hold a save back, and lead to the first wrong field', async () => {
  await openForm()
  await field('Email').fill('nobody')
  await field('Description').fill('ab')
  await submit.click()
  await expect.element(field('Description')).toHaveFocus()
  await isWrong('Email', 'Enter an email address')
  expect(await findBarriers()).toEqual([])
  await field('Description').fill('abc')
  await submit.click()
  await expect.element(field('Email')).toHaveFocus()
  expect(saved).toEqual([])
})

it('a save sends the values once, however often it is asked for, and gives the focus back to the opener', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  save = () => promise
  await openForm()
  await field('Name').fill('Renamed')
  await userEvent.keyboard('{Enter}{Enter}')
  await submit.click({ force: true })
  expect(saved).toEqual([{ ...initial, name: 'Renamed' }])
  resolve()
  await isClosed()
  await expect.element(opener).toHaveFocus()
})

it('a save that is refused for a field says so there, leads to it, and keeps what was typed', async () => {
  const errors = [{ path: 'email', message: 'email-taken' }]
  save = () =>
    Promise.reject(new CallError(422, { type: 'about:blank', title: 'Wrong', status: 422, errors }))
  await openForm()
  await field('Name').fill('Renamed')
  await field('Email').fill('taken@example.com')
  await field('Name').click()
  await submit.click()
  await isWrong('Email', 'There is already an account with this email')
  await expect.element(field('Email')).toHaveFocus()
  await expect.element(form.getByRole('alert')).not.toBeInTheDocument()
  await expect.element(field('Name')).toHaveValue('Renamed')
  await field('Email').fill('free@example.com')
  await isRight('Email')
  save = async () => {}
  await submit.click()
  await isClosed()
  expect(saved.at(-1)).toEqual({ ...initial, name: 'Renamed', email: 'free@example.com' })
})

it('a save that came after another’s change says so above the fields, overwrites nothing, and may be repeated', async () => {
  save = () => Promise.reject(new CallError(409, null))
  await openForm()
  await field('Name').fill('Mine')
  await submit.click()
  await expect
    .element(form.getByRole('alert'))
    .toHaveTextContent('Someone else changed this. Reload and try again.')
  await expect.element(field('Name')).toHaveValue('Mine')
  expect(await findBarriers()).toEqual([])
  const { promise, resolve } = Promise.withResolvers<void>()
  save = () => promise
  await submit.click()
  await expect.element(form.getByRole('alert')).not.toBeInTheDocument()
  resolve()
  await isClosed()
})

it('a form that is left without changes closes at once, also when they were taken back', async () => {
  await openForm()
  await userEvent.keyboard('{Escape}')
  await isClosed()
  await expect.element(opener).toHaveFocus()
  await opener.click()
  await field('Name').fill('Renamed')
  await field('Name').fill('Corner shop')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await isClosed()
})

it('a form that is left gives the focus back to the button of the menu that it was opened from', async () => {
  await drawComponent(<ContactPage />)
  const more = page.getByRole('button', { name: 'More' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect.element(field('Name')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await isClosed()
  await expect.element(more).toHaveFocus()
})

it('a form that is left with changes asks at Esc: to stay keeps everything, to leave focuses the opener', async () => {
  await openForm()
  await field('Name').fill('Renamed')
  await userEvent.keyboard('{Escape}')
  await expect.element(question).toBeVisible()
  await expect.element(question.getByRole('button', { name: 'Keep editing' })).toHaveFocus()
  expect(await findBarriers()).toEqual([])
  await userEvent.keyboard('{Enter}')
  await expect.element(question).not.toBeInTheDocument()
  await isOpen()
  await expect.poll(hasFocusInside).toBe(true)
  await expect.element(field('Name')).toHaveValue('Renamed')
  await form.getByRole('button', { name: 'Close' }).click()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await isClosed()
  await expect.element(opener).toHaveFocus()
  expect(saved).toEqual([])
  await opener.click()
  await expect.element(field('Name')).toHaveValue('Corner shop')
})

it('a form that is left by a page or by closing the tab asks too', async () => {
  const { address } = await openForm()
  const closesTab = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(closesTab()).toBe(false)
  await field('Name').fill('Renamed')
  await expect.poll(closesTab).toBe(true)
  followLink()
  await expect.element(question).toBeVisible()
  expect(address()).toBe('/contact')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(field('Name')).toHaveValue('Renamed')
  followLink()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await expect.poll(address).toBe('/elsewhere')
  await expect.poll(closesTab).toBe(false)
})

it('a form that is left because the session ended has its values again for the same user', async () => {
  const { leave } = await openForm()
  await field('Name').fill('Typed before the end')
  dropToken()
  leave()
  await openForm()
  await expect.element(field('Name')).toHaveValue('Typed before the end')
})

it('a form that is left because the session ended shows nothing of it to another user', async () => {
  const { leave } = await openForm()
  await field('Name').fill('Typed before the end')
  dropToken()
  leave()
  await drawComponent(<ContactPage />, { path: '/contact' })
  saveSession({ ...signedInUser, uid: '0193a1f0-0000-7000-8000-000000000002', token: 'other' })
  await opener.click()
  await expect.element(field('Name')).toHaveValue('Corner shop')
})

it('the dialog of a form keeps Tab within it', async () => {
  await openForm()
  for (let steps = 0; steps < 8; steps += 1) {
    await userEvent.tab()
    expect(hasFocusInside()).toBe(true)
  }
  await expect.element(field('Description')).toBeVisible()
})

it.each([
  { name: 'light', language: 'en', width: 1280, mode: 'light' },
  { name: 'dark', language: 'en', width: 1280, mode: 'dark' },
  { name: 'on a phone', language: 'en', width: 400, mode: 'light' },
  { name: 'from right to left', language: 'ar', width: 1280, mode: 'light' },
] as const)(
  'the dialog of a form stands at the end of the line, whole, and without barriers: $name',
  async look => {
    const { language, width, mode } = look
    personalize({ mode })
    await drawComponent(<ContactPage />, { language, width })
    await opener.click()
    await isOpen()
    const sheet = document.querySelector('.mantine-Drawer-content')?.getBoundingClientRect()
    expect(language === 'ar' ? sheet?.left : sheet?.right).toBe(language === 'ar' ? 0 : width)
    expect(sheet?.width).toBeLessThanOrEqual(width)
    expect(document.documentElement.scrollWidth).toBe(width)
    expect(await findBarriers()).toEqual([])
  },
)
