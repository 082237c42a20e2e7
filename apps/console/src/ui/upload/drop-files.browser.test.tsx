import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { DropFiles } from './drop-files.tsx'

it('takes the files that are chosen after the list has replaced the button of the dialog', async () => {
  // The browser's own dialog would wait for a user.
  const opened = vi.spyOn(HTMLInputElement.prototype, 'click').mockReturnValue()
  const taken: string[] = []
  const button = (
    <DropFiles
      accept="video/mp4,.mp4"
      label={'Upload videos'}
      dropText="Drop videos"
      onFiles={files => taken.push(...files.map(({ name }) => name))}
    />
  )
  const { leave } = await drawComponent(button)
  await page.getByRole('button', { name: 'Upload videos' }).click()
  leave()
  const [field] = opened.mock.contexts
  if (!(field instanceof HTMLInputElement)) throw new Error('No dialog was opened')
  expect(field).toMatchObject({ type: 'file', accept: 'video/mp4,.mp4', multiple: true })
  const chosen = new DataTransfer()
  chosen.items.add(new File(['film'], 'video-silent.mp4'))
  field.files = chosen.files
  field.dispatchEvent(new Event('change'))
  expect(taken).toEqual(['video-silent.mp4'])
})
