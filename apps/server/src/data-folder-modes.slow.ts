import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { expect, test } from 'vitest'

/** What other users of the machine may do with anything in a folder: its paths by mode. */
function openPaths(folder: string): string[] {
  return ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]
    .map(path => ({ path, mode: lstatSync(join(folder, path)).mode & 0o077 }))
    .filter(({ mode }) => mode !== 0)
    .map(({ path, mode }) => `${path} ${mode.toString(8)}`)
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast modes '))
  atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a new data folder, with its database, is closed to other users', async () => {
  const dataDir = join(makeFolder(), 'data')
  const { until } = startServerProgram({ DATA_DIR: dataDir })
  await until(/^Floorcast is at/)
  await eventually(() => expect(openPaths(dataDir)).toEqual([]))
})

test('the data folder of an earlier release is closed at the start; what is not ours stays as it is', async () => {
  const dataDir = makeFolder()
  chmodSync(dataDir, 0o755)
  mkdirSync(join(dataDir, 'media', 'client', 'ab'), { recursive: true, mode: 0o755 })
  for (const path of ['media/client/ab/file', 'server.log', 'server.log.1', 'notes.txt'])
    writeFileSync(join(dataDir, path), '', { mode: 0o644 })
  const { url } = await testDatabase()
  const { until } = startServerProgram({ DATA_DIR: dataDir, DATABASE_URL: url })
  await until(/^Floorcast is at/)
  await eventually(() => expect(openPaths(dataDir)).toEqual(['notes.txt 44']))
})

test('an uploaded file is closed to other users', async () => {
  const server = await wholeServer()
  const { token } = await server.newClient()
  const bytes = makeSong({ notes: [1, 2], seconds: 4 })
  expect((await uploader(server).upload(token, 'melodies', { bytes, name: 'One.mp3' })).code).toBe(200)
  expect(openPaths(join(server.context.settings.dataDir, 'media'))).toEqual([])
})
