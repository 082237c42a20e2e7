import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { playlistQueries } from './playlist-data.ts'
import { ReplaceDialog } from './replace-dialog.tsx'

/** Opened by the address (`?replace=`), as the wizard leads here: offers to put the new playlist on the air. */
export function OfferReplace() {
  const [address, setAddress] = useSearchParams()
  const uid = address.get('replace')
  const { data } = useQuery({ ...playlistQueries.card(uid ?? ''), enabled: uid !== null })
  const close = () => {
    const without = (now: URLSearchParams) => {
      const next = new URLSearchParams(now)
      next.delete('replace')
      return next
    }
    setAddress(without, { replace: true })
  }
  if (uid === null || !data?.editOf) return null
  return <ReplaceDialog playlist={data} former={data.editOf} onClose={close} />
}
