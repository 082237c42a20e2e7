import { makeTicket } from '@floorcast/contract/auth.ts'
import { listMedia, type MediaType } from '@floorcast/contract/media.ts'
import type { FakeServer } from './fake-server.ts'
import { mediaRow } from './media-row.ts'

const SECONDS = 8
const uidOf = (n: number) => `0193a1f0-0000-7000-8000-00000000050${n}`
const media = (contentType: MediaType, numbers: readonly number[]) =>
  numbers.map(n => mediaRow({ uid: uidOf(n), contentType, name: `song-${n}`, durationSeconds: SECONDS }))

/** The songs 1 to 6 are melodies of 8 seconds, 7 to 9 ads, and there is a video ad 0. */
const library: Record<MediaType, ReturnType<typeof media>> = {
  melodies: media('melodies', [1, 2, 3, 4, 5, 6]),
  ads: media('ads', [7, 8, 9]),
  videos: [],
  videosAds: media('videosAds', [0]),
}

/** The library of the wizard, but for media that have left it; the files never come. */
export function answerLibrary(server: FakeServer, gone: readonly string[] = []): void {
  server.answer(listMedia, (_, __, { contentType }) => {
    const items = library[contentType as MediaType].filter(({ name }) => !gone.includes(name))
    return { items, total: items.length, page: 1, size: 25 }
  })
  server.answer(makeTicket, () => new Promise(() => {}))
}

/** A song of the library as a draft has it. */
export const chosenSong = (n: number, weight = 1, duration = SECONDS) => ({
  uid: uidOf(n),
  name: `song-${n}`,
  duration,
  weight,
})
