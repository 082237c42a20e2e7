import { readMediaPreview } from '@floorcast/contract/media.ts'
import { queryOptions } from '@tanstack/react-query'
import { readBytes } from './download.ts'
import { queryKeys } from './query-keys.ts'

/** Pixels of a side: twice what is shown, for fine screens. */
const SIDE = 80
const freshMs = 5 * 60_000

/** Pictures that are being decoded: one after another, because a large one takes some hundred megabytes for a moment. */
let decoding: Promise<unknown> = Promise.resolve()

/** A picture as a small square, cut at its longer sides, as the address of an `<img>`. @throws if the bytes are no picture */
async function shrink(picture: Blob): Promise<string> {
  const bitmap = await createImageBitmap(picture)
  const side = Math.min(bitmap.width, bitmap.height)
  const canvas = Object.assign(document.createElement('canvas'), { width: SIDE, height: SIDE })
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2]
  canvas.getContext('2d')?.drawImage(bitmap, left, top, side, side, 0, 0, SIDE, SIDE)
  bitmap.close()
  return canvas.toDataURL('image/webp', 0.8)
}

/**
 * The preview image of a media item, small enough for each row of a list: some kilobytes, which is all that is kept of it. It is
 * fetched with the session, because a ticket for each row would use up those of the session.
 */
export const mediaThumbnail = (uid: string) =>
  queryOptions({
    queryKey: queryKeys.media.thumbnail(uid),
    queryFn: async ({ signal }) => {
      const picture = await readBytes(readMediaPreview, { params: { uid }, signal })
      const next = decoding.then(() => shrink(picture))
      decoding = next.catch(() => undefined)
      return next
    },
    staleTime: freshMs,
    gcTime: freshMs,
    retry: false,
  })
