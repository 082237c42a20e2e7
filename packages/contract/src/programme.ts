import type { DeviceProgramme } from './device-programme.ts'
import type { ManifestBlock, ManifestFile, Programme, ProgrammeBlock } from './manifest.ts'

const toMs = (seconds: number) => Math.round(seconds * 1000)

function denseBlock(block: ManifestBlock, files: readonly ManifestFile[]): ProgrammeBlock {
  const { kind, start, duration, items } = block
  let end = toMs(start)
  const gaps = items.map(item => {
    const from = toMs(item.start)
    const gap = from - end
    end = from + toMs(files[item.file]?.durationSeconds ?? 0)
    return gap
  })
  return { kind, start, duration, files: items.map(({ file }) => file), gaps }
}

/** The document that is sent for a programme; `parseProgramme` of device-manifest.ts reads it. */
export function writeProgramme({ playlist, files }: DeviceProgramme): Programme {
  const listed = files.map(
    ({ mediaUid, sha256, name, contentType, sizeBytes, durationSeconds, loudness }) => {
      return { mediaUid, sha256, name, contentType, sizeBytes, durationSeconds, loudness }
    },
  )
  if (playlist.form === 'simple') return { playlist, files: listed }
  const blocks = playlist.blocks.map(block => denseBlock(block, files))
  return { playlist: { ...playlist, blocks }, files: listed }
}
