import type { NowPlaying } from '@floorcast/contract/devices.ts'
import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { release } from '@floorcast/contract/release.ts'
import { heldReport } from '@floorcast/playback/sync-plan.ts'
import type { ManifestBook } from '../store/manifest-store.ts'
import type { MediaStore } from '../store/media-store.ts'
import { readMachine } from './machine.ts'

export interface Box {
  dataDir: string
  bootId: string
  book: ManifestBook
  media: MediaStore
  player: { volume: () => number; nowPlaying: () => NowPlaying | null }
}

/** The heartbeat's limits. */
const MOST_HELD = 20
const MOST_QUARANTINED = 100
const LONGEST_NAME = 200

/** The box and its player as they are now: a heartbeat. */
export async function describeBox({ dataDir, bootId, book, media, player }: Box): Promise<Heartbeat> {
  const newest = book.newest()?.manifest
  // One that was uploaded anew has another hash: the former is nobody's concern any more.
  const named = new Set(newest?.files.map(file => file.sha256))
  const quarantined = media
    .quarantined()
    .filter(({ sha256 }) => named.has(sha256))
    .slice(0, MOST_QUARANTINED)
  return {
    sentAt: new Date().toISOString(),
    bootId,
    programVersion: release.version,
    ...(await readMachine(dataDir)),
    volume: player.volume(),
    nowPlaying: player.nowPlaying(),
    manifestEtag: book.playing()?.etag ?? null,
    held: newest ? heldReport(newest, media.held).slice(0, MOST_HELD) : [],
    quarantined: quarantined.map(({ name, sha256 }) => ({ name: name.slice(0, LONGEST_NAME), sha256 })),
  }
}
