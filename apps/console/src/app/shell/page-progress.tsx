import { useNavigation } from 'react-router'
import { LoadingBar } from '../../ui/overlay/loading-bar.tsx'

/** A bar at the top of the window while a page is on its way. */
export function PageProgress() {
  const { state } = useNavigation()
  return state === 'idle' ? null : <LoadingBar />
}
