import { listMedia } from '@floorcast/contract/media.ts'
import { addTracks } from '@floorcast/contract/playlist-tracks.ts'
import {
  addTrack,
  editPlaylist,
  moveTrack,
  readPlaylistWithTracks,
  removeTrack,
  type PlaylistChange,
  type PlaylistItem,
  type PlaylistWithTracks,
} from '@floorcast/contract/playlists.ts'
import { makeTicket } from '@floorcast/contract/auth.ts'
import type { z } from 'zod'
import { applyChange, moveTarget } from '../features/playlist-editor/playlist-moves.ts'
import type { FakeServer } from './fake-server.ts'
import { mediaRow } from './media-row.ts'

export const playlistUid = '0193a1f0-0000-7000-8000-0000000000f0'
export const songUid = (n: number) => `0193a1f0-0000-7000-8000-00000000030${n}`
const now = '2026-06-10T22:30:00.000Z'

const song = (n: number) => mediaRow({ uid: songUid(n), name: `song-${n}`, durationSeconds: 10 })

const emptyPlaylist: PlaylistWithTracks = {
  uid: playlistUid,
  name: 'Morning',
  description: '',
  kind: 'audio',
  form: 'simple',
  state: 'paused',
  isUsed: false,
  itemCount: 0,
  durationSeconds: 0,
  planState: null,
  startDate: null,
  endDate: null,
  changedAt: now,
  crossfadeSeconds: 0,
  createdAt: now,
  isInForce: false,
  groups: [],
  editOf: null,
  edits: [],
  version: 1,
  smart: null,
  permissions: { mayEdit: true, mayDelete: true },
  items: [],
  blocks: null,
}

/** A server's playlist with a library of the songs 1 to 5, ten seconds each; files never come. */
export class PlaylistOnServer {
  playlist = emptyPlaylist
  /** Tracks are added when this is fulfilled. */
  mayAdd = Promise.resolve()
  #added = 0

  constructor(server: FakeServer, songs: number) {
    for (let n = 1; n <= songs; n += 1) this.#add(songUid(n))
    server.answer(makeTicket, () => new Promise(() => {}))
    server.answer(listMedia, ({ search = '' }) => {
      const items = [1, 2, 3, 4, 5].map(song).filter(({ name }) => name.includes(search))
      return { items, total: items.length, page: 1, size: 50 }
    })
    server.answer(readPlaylistWithTracks, () => this.playlist)
    server.answer(addTrack, async (_, __, { track }) => {
      await this.mayAdd
      return this.#add(track)
    })
    server.answer(addTracks, (_, body) => {
      for (const track of (body as { tracks: string[] }).tracks) this.#add(track)
      return { code: 200 }
    })
    server.answer(moveTrack, (_, __, { position, mode }) => {
      const { items } = this.playlist
      const to = moveTarget(Number(position), mode as 'up', items.length)
      return this.#keep(applyChange(items, { uid: items[Number(position) - 1]?.uid ?? '', to }))
    })
    server.answer(removeTrack, (_, __, { position }) =>
      this.#keep(this.playlist.items.filter(item => item.position !== Number(position))),
    )
    server.answer(editPlaylist, (_, body) => this.#edit(body as z.infer<typeof PlaylistChange>))
  }

  /** The numbers of its songs, in their order. */
  get songs(): string {
    return this.playlist.items.map(item => item.name.replace('song-', '')).join(' ')
  }

  #add(media: string) {
    this.#added += 1
    const item: PlaylistItem = {
      uid: `0193a1f0-0000-7000-8000-0000000004${String(this.#added).padStart(2, '0')}`,
      position: 0,
      mediaUid: media,
      name: `song-${media.at(-1)}`,
      contentType: 'melodies',
      durationSeconds: 10,
      repeatCount: 1,
      replaySeconds: null,
      startTime: null,
    }
    return this.#keep([...this.playlist.items, item])
  }

  #keep(items: readonly PlaylistItem[]) {
    const dense = items.map((item, index) => ({ ...item, position: index + 1 }))
    this.playlist = {
      ...this.playlist,
      items: dense,
      itemCount: dense.length,
      durationSeconds: 10 * dense.length,
    }
    return { code: 200 }
  }

  #edit({ items: changes = [], ...fields }: z.infer<typeof PlaylistChange>) {
    const changed = this.playlist.items.map(item => ({
      ...item,
      ...changes.find(({ uid }) => uid === item.uid),
    }))
    this.playlist = { ...this.playlist, ...fields } as PlaylistWithTracks
    return this.#keep(changed as PlaylistItem[])
  }
}
