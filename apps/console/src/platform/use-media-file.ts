import { useRef, useState } from 'react'
import { readMediaAddress, useMediaAddress } from './tickets.ts'

/** The address is renewed at most this often: another failure right after is not due to the ticket. */
const renewAfterMs = 60_000

/** The address of a media file, and the way to continue when its ticket has expired. */
export interface MediaFile {
  /** Stable while it works, because a changed address would restart the file. Undefined until it is known. */
  address: string | undefined
  /** Call it on the element's error. True when playback is retried at the same position. */
  renew: (element: HTMLMediaElement) => boolean
}

/** The file of a media item, playable for longer than one ticket lasts. */
export function useMediaFile(uid: string): MediaFile {
  const first = useMediaAddress(uid, 'file')
  const [held, setHeld] = useState<string | undefined>()
  const renewedAtMs = useRef(0)
  if (held === undefined && first !== undefined) setHeld(first)
  const renew = (element: HTMLMediaElement) => {
    if (!held || Date.now() - renewedAtMs.current < renewAfterMs) return false
    renewedAtMs.current = Date.now()
    const { currentTime } = element
    const goOn = () => {
      element.currentTime = currentTime
      void element.play().catch(() => undefined)
    }
    readMediaAddress(uid, 'file').then(
      address => {
        element.addEventListener('loadedmetadata', goOn, { once: true })
        setHeld(address)
      },
      () => undefined,
    )
    return true
  }
  return { address: held, renew }
}
