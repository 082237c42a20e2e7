import { CallError } from '@floorcast/contract/client.ts'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent } from '../testing/draw-component.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

const label = 'Delete'

it('keeps its buttons in their place while it tries again, and closes when that succeeds', async () => {
  const onClose = vi.fn<() => void>()
  const held = Promise.withResolvers<void>()
  const onConfirm = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new CallError(0, null))
  onConfirm.mockReturnValueOnce(held.promise)
  await drawComponent(
    <ConfirmDialog isOpen title={label} confirmLabel={label} onConfirm={onConfirm} onClose={onClose}>
      {label}
    </ConfirmDialog>,
  )
  const button = page.getByRole('button', { name: label })
  await button.click()
  await vi.waitUntil(() => document.querySelector('[role=dialog] [role=alert]'))
  const { top } = button.element().getBoundingClientRect()
  await button.click()
  await vi.waitUntil(() => document.querySelector('button[data-loading]'))
  expect(document.querySelector('button[data-loading]')?.getBoundingClientRect().top).toBe(top)
  expect(onClose).not.toHaveBeenCalled()
  held.resolve()
  await vi.waitUntil(() => onClose.mock.calls.length > 0)
  expect(onConfirm).toHaveBeenCalledTimes(2)
})

/** Deactivates what says itself whether it is active, and reads it again before the change has ended. */
function Deactivation({ ended }: { ended: Promise<void> }) {
  const [isActive, setIsActive] = useState(true)
  const [isOpen, setIsOpen] = useState(true)
  const confirm = async () => {
    // The answer of a server comes after the click was drawn.
    await new Promise(requestAnimationFrame)
    setIsActive(false)
    await ended
  }
  return (
    <>
      <p>{isActive ? 'On the air' : 'Off'}</p>
      <ConfirmDialog
        isOpen={isOpen}
        title={isActive ? 'Deactivate?' : 'Activate?'}
        confirmLabel={isActive ? 'Deactivate' : 'Activate'}
        onConfirm={confirm}
        onClose={() => setIsOpen(false)}
      >
        {isActive ? '84 shops fall silent.' : '84 shops play.'}
      </ConfirmDialog>
    </>
  )
}

it('says what was confirmed while the change makes it untrue, and while it closes', async () => {
  const ended = Promise.withResolvers<void>()
  const seen = new Set<string>()
  const note = () => seen.add(document.querySelector('[role=dialog]')?.textContent ?? 'closed')
  await drawComponent(<Deactivation ended={ended.promise} />)
  await expect.element(page.getByText('84 shops fall silent.')).toBeVisible()
  note()
  const watch = new MutationObserver(note)
  watch.observe(document.body, { subtree: true, childList: true, characterData: true })
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await expect.element(page.getByText('Off', { exact: true })).toBeInTheDocument()
  ended.resolve()
  await vi.waitUntil(() => !document.querySelector('[role=dialog]'))
  watch.disconnect()
  expect([...seen]).toEqual(['Deactivate?84 shops fall silent.CancelDeactivate', 'closed'])
})
