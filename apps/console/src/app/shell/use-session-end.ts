import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { expiredSessions } from '../../platform/client.ts'
import { currentWords } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { queryClient } from '../../platform/query-client.ts'
import { useSession } from '../../platform/session.ts'
import { useStore } from '../../platform/store.ts'
import { toast } from '../../platform/toasts.ts'

let toldOf = 0

/**
 * Leads away when the session ends, here or in another tab: without a user to /login, without a token to /lock.
 * An expired one is told (docs/specification.md#8-error-catalogue), and /login brings back to where the person was.
 */
export function useSessionEnd(): void {
  const { user, token } = useSession()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const expired = useStore(expiredSessions)
  useEffect(() => {
    if (user && token) return
    queryClient.clear()
    const isExpired = expired > toldOf
    toldOf = expired
    if (isExpired) void toast('warning', currentWords().t('problems:expired'))
    const from = encodeURIComponent(pathname + search)
    const to = user ? `${paths.lock}?from=${from}` : isExpired ? `${paths.login}?from=${from}` : paths.login
    void navigate(to, { replace: true })
  }, [user, token, expired, navigate, pathname, search])
}
