import { mkdirSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ManifestUpdate } from '@floorcast/contract/manifest.ts'
import type { DeviceSession } from '@floorcast/device-client/session.ts'
import { DownloadFailed } from '@floorcast/device-client/downloads.ts'
import { downloadFile } from '../sync/download.ts'
import type { DownloadLimits } from '../sync/download-limits.ts'
import { hashOfFile, updateFoldersOf } from './programs.ts'

type UpdateFile = ManifestUpdate['files'][number]

/** Bytes that stay free for the event log and the system. */
const RESERVED_BYTES = 64 * 1024 * 1024

/** The folder of downloaded update files, which are named by their hashes. */
export class UpdateDownloads {
  readonly #folder: string
  readonly #session: DeviceSession
  readonly #limits: DownloadLimits

  constructor(dataDir: string, session: DeviceSession, limits: DownloadLimits) {
    this.#folder = updateFoldersOf(dataDir).downloads
    this.#session = session
    this.#limits = limits
  }

  pathOf = ({ sha256 }: Pick<UpdateFile, 'sha256'>): string => join(this.#folder, sha256)

  async isHeld(file: UpdateFile): Promise<boolean> {
    const size = await stat(this.pathOf(file)).then(
      facts => facts.size,
      () => -1,
    )
    return size === file.sizeBytes
  }

  /** Whether the bytes on the disk are those of the manifest. One that differs is deleted. */
  isIntact(file: UpdateFile): boolean {
    try {
      if (hashOfFile(this.pathOf(file)) === file.sha256) return true
    } catch {
      return false
    }
    rmSync(this.pathOf(file), { force: true })
    return false
  }

  /** Downloads a file, or the rest of it. @throws DownloadFailed */
  async fetch(file: UpdateFile): Promise<void> {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      const disk = statfsSync(this.#folder)
      // The installed program is a copy of the file.
      if (disk.bavail * disk.bsize < 2 * file.sizeBytes + RESERVED_BYTES)
        throw new Error('the disk has not enough free space')
    } catch (cause) {
      throw new DownloadFailed('disk', cause)
    }
    const part = `${this.pathOf(file)}.part`
    const store = { partPathOf: () => part, complete: () => renameSync(part, this.pathOf(file)) }
    await downloadFile(this.#session, store, { file, pace: bytes => this.#limits.pace(bytes) })
  }

  /** Deletes all files but those of an update. */
  keepOnly(update: ManifestUpdate | undefined): void {
    const kept = new Set(update?.files.flatMap(({ sha256 }) => [sha256, `${sha256}.part`]))
    try {
      for (const name of readdirSync(this.#folder))
        if (!kept.has(name)) rmSync(join(this.#folder, name), { force: true })
    } catch {
      // There is no folder, or the disk takes no writes.
    }
  }
}
