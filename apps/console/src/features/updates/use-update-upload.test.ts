import { expect, it } from 'vitest'
import { addChosenFiles } from './use-update-upload.ts'

const file = (name: string, text = '') => ({ name, text: async () => text })
const namesOf = (chosen: readonly { file: { name: string }; signature: string }[]) =>
  chosen.map(({ file: { name }, signature }) => [name, signature])

it('a signature belongs to the file of its name', async () => {
  const chosen = await addChosenFiles(
    [],
    [file('player.mjs.sig', 'AAAA\n'), file('player.mjs'), file('notes.txt')],
  )
  expect(namesOf(chosen)).toEqual([
    ['player.mjs', 'AAAA'],
    ['notes.txt', ''],
  ])
})

it('a signature may come later, and a file again', async () => {
  const first = await addChosenFiles([], [file('player.mjs'), file('other.mjs')])
  const signed = await addChosenFiles(first, [file('player.mjs.sig', 'BBBB')])
  expect(namesOf(signed)).toEqual([
    ['player.mjs', 'BBBB'],
    ['other.mjs', ''],
  ])
  const again = await addChosenFiles(signed, [file('player.mjs')])
  expect(namesOf(again)).toEqual([
    ['other.mjs', ''],
    ['player.mjs', ''],
  ])
})

it('a signature without its file is left out', async () => {
  expect(await addChosenFiles([], [file('lost.sig', 'CCCC')])).toEqual([])
})
