import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FILE_MODE, FOLDER_MODE } from './private-folder.ts'

/** A new file in DATA_DIR without a name: nothing of it stays when the handle closes, or when the server is killed. */
export async function openNamelessFile(dataDir: string): Promise<FileHandle> {
  const folder = join(dataDir, 'media', 'incoming')
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  const path = join(folder, `made-${randomUUID()}`)
  const handle = await open(path, 'wx+', FILE_MODE)
  await rm(path)
  return handle
}
