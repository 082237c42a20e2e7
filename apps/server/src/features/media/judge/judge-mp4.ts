import { open } from 'node:fs/promises'
import { FileWindow } from './file-window.ts'
import { judgeTracksApart } from './judge-thread.ts'
import { checkMp4Boxes } from './mp4-boxes.ts'
import { refuse, type AcceptedVideo, type RefusalReason, type Refused } from './verdict.ts'

async function checkBoxes(path: string): Promise<RefusalReason | null> {
  const handle = await open(path)
  try {
    return await checkMp4Boxes(new FileWindow(handle, (await handle.stat()).size))
  } finally {
    await handle.close()
  }
}

/**
 * Judges a file on disk as MP4 of H.264 with AAC or no sound. HEVC and MPEG-4 part 2 are refused because Chromium
 * plays them as sound with a black picture and reports no error.
 */
export async function judgeMp4(path: string): Promise<AcceptedVideo | Refused> {
  const fault = await checkBoxes(path)
  if (fault) return refuse(fault)
  return await judgeTracksApart(path).catch(() => refuse('file-damaged'))
}
