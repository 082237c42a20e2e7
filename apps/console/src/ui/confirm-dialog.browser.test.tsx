import { CallError } from '@floorcast/contract/client.ts'
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
