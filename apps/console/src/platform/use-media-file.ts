import { useRef, useState } from 'react'
import { readMediaAddress, useMediaAddress } from './tickets.ts'

/** An address is renewed at most this often: what fails right after is not the ticket's fault. */
const renewAfterMs = 60_000

/** Where a media element loads a file from, and how to go on when its ticket has run out. */
export interface MediaFile {
  /** Held while it works: a changed address would begin the file again. Undefined until it is known. */
  address: string | undefined
  /** Call it on the element's error. True when it is being tried again where it was. */
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
