import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { readPlaylistSource, uploadM3u } from '@floorcast/contract/playlists.ts'
import { importSmartPlaylist, SmartImport } from '@floorcast/contract/smart-playlists.ts'
import { isSuccess } from '@floorcast/contract/outcomes.ts'
import { call, change, Refusal } from '../../platform/client.ts'
import { saveFile } from '../../platform/download.ts'
import { useChange } from '../../platform/use-change.ts'
import { sendParts } from '../../ui/upload/upload-calls.ts'

/** A fault of a file that shows before the server has seen it. */
export class WrongPlaylistFile extends Error {
  readonly fault: 'notJson' | 'notPlaylist'

  constructor(fault: 'notJson' | 'notPlaylist') {
    super(fault)
    this.fault = fault
  }
}

/** Characters that file systems do not take. */
const UNSAFE = /[\\/:*?"<>|]/g

/** Saves a simple playlist as M3U8, or a smart one as JSON, which an import reads again. @throws CallError */
export async function exportPlaylist(uid: string): Promise<void> {
  const { name, draft, m3u8 } = await call(readPlaylistSource, { params: { id: uid } })
  const fileName = name.replaceAll(UNSAFE, '-')
  if (m3u8 !== null) return saveFile(new Blob([m3u8], { type: 'audio/x-mpegurl' }), `${fileName}.m3u8`)
  const text = JSON.stringify({ ...draft, smartPlUid: null }, null, 2)
  saveFile(new Blob([text], { type: 'application/json' }), `${fileName}.json`)
}

/** @throws WrongPlaylistFile */
function readDraft(text: string): SmartImport {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new WrongPlaylistFile('notJson')
  }
  const draft = SmartImport.safeParse(json)
  if (!draft.success) throw new WrongPlaylistFile('notPlaylist')
  return { ...draft.data, smartPlUid: null, editOf: null }
}

async function importFile(file: File): Promise<Outcome> {
  if (/\.json$/i.test(file.name)) return change(importSmartPlaylist, { body: readDraft(await file.text()) })
  const outcome = await sendParts(uploadM3u, {}, { file })
  if (!isSuccess(outcome.code)) throw new Refusal(outcome)
  return outcome
}

/** Makes a paused playlist of an M3U, M3U8 or JSON file. @throws WrongPlaylistFile, Refusal, CallError */
export const usePlaylistImport = () => useChange('playlist', importFile)
