import { CallError } from '@floorcast/contract/client.ts'
import { addGroup, changeGroupState } from '@floorcast/contract/groups.ts'
import { clonePlaylist } from '@floorcast/contract/playlists.ts'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent } from '../testing/draw-component.tsx'
import { FakeServer } from '../testing/fake-server.ts'
import { toast } from './toasts.ts'
import { changeHook, stateHook, useChange } from './use-change.ts'

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

const uid = '0193a1f0-0000-7000-8000-000000000007'
const useAddGroup = changeHook('group', addGroup)
const useClonePlaylist = changeHook('playlist', clonePlaylist)
const useChangeGroupState = stateHook('group', changeGroupState)

function Buttons() {
  const add = useAddGroup()
  const clone = useClonePlaylist()
  const changeState = useChangeGroupState()
  return (
    <>
      <button onClick={() => add.mutate({ contentType: 'video', name: 'Foyer' })}>{'Add'}</button>
      <button onClick={() => clone.mutate({ id: uid, purpose: 'edit' })}>{'Clone'}</button>
      <button onClick={() => changeState.mutate({ uid, from: 'paused' })}>{'Activate'}</button>
    </>
  )
}

it.each([
  ['Add', { call: 'POST /group/add/video', query: {}, body: { name: 'Foyer' } }],
  ['Clone', { call: `GET /playlist/clone/${uid}`, query: { purpose: 'edit' }, body: null }],
  ['Activate', { call: `GET /action/group/${uid}/changestate`, query: { from: 'paused' }, body: null }],
])('sends what a call takes in its path, its query or its body: %s', async (name, sent) => {
  const server = new FakeServer()
  for (const endpoint of [addGroup, clonePlaylist, changeGroupState])
    server.answer(endpoint, () => ({ code: 200 }))
  await drawComponent(<Buttons />)
  await page.getByRole('button', { name }).click()
  await expect.poll(() => server.calls).toEqual([sent])
})
