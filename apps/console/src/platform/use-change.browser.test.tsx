import { CallError } from '@floorcast/contract/client.ts'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent } from '../testing/draw-component.tsx'
import { toast } from './toasts.ts'
import { useChange } from './use-change.ts'

let ended: PromiseWithResolvers<string>

/** A dialog that may be closed while its change is being sent. */
function Dialog({ onClose, ...given }: { onClose: () => void; onError?: () => void }) {
  const { mutate, error } = useChange('group', () => ended.promise)
  const onSuccess = (name: string, isShown: boolean) =>
    void toast('success', `${name} ${isShown ? 'here' : 'elsewhere'}`)
  return (
    <div role="dialog">
      <button onClick={() => mutate(undefined, { onSuccess, ...given })}>{'Save'}</button>
      <button onClick={onClose}>{'Leave'}</button>
      {error && <p>{'Refused'}</p>}
    </div>
  )
}

function Page(given: { onError?: () => void }) {
  const [isOpen, setIsOpen] = useState(true)
  return isOpen ? <Dialog onClose={() => setIsOpen(false)} {...given} /> : <p>{'Closed'}</p>
}

async function save({ isClosed, onError }: { isClosed: boolean; onError?: () => void }) {
  ended = Promise.withResolvers()
  await drawComponent(<Page {...(onError && { onError })} />)
  await page.getByRole('button', { name: 'Save' }).click()
  if (isClosed) await page.getByRole('button', { name: 'Leave' }).click()
}

it.each([
  [false, 'Changed here'],
  [true, 'Changed elsewhere'],
])('tells that it has ended when its dialog was closed meanwhile: %s', async (isClosed, text) => {
  await save({ isClosed })
  ended.resolve('Changed')
  await expect.element(page.getByText(text)).toBeInTheDocument()
})

it('tells of an error by a toast when its dialog is gone, and in the dialog else', async () => {
  await save({ isClosed: true })
  ended.reject(new CallError(0, null))
  await expect.element(page.getByText('Fatal error')).toBeInTheDocument()
})

it('leaves an error to the dialog that shows it', async () => {
  await save({ isClosed: false })
  ended.reject(new CallError(500, null))
  await expect.element(page.getByText('Refused')).toBeInTheDocument()
  expect(document.querySelectorAll('[data-kind=danger]')).toHaveLength(0)
})

it('gives an error to its own handler, also when its dialog is gone', async () => {
  let errors = 0
  await save({ isClosed: true, onError: () => (errors += 1) })
  ended.reject(new CallError(500, null))
  await expect.poll(() => errors).toBe(1)
})
