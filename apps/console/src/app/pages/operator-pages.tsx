import { Navigate, useLocation } from 'react-router'
import { AuthLayout, LanguageSelect } from '../../features/auth/auth-layout.tsx'
import { operatorToken } from '../../features/operator/operator-data.ts'
import { OperatorPage } from '../../features/operator/operator-page.tsx'
import { OperatorSignIn } from '../../features/operator/operator-sign-in.tsx'
import { useTranslate } from '../../platform/i18n.ts'
import { paths, readInvite } from '../../platform/paths.ts'
import { useStore } from '../../platform/store.ts'

/** Operators sign in here, also by the link that sets their password. */
export function OperatorLogin() {
  const { t } = useTranslate()
  const token = useStore(operatorToken)
  const { hash } = useLocation()
  if (token !== null) return <Navigate to={paths.operator} replace />
  return (
    <AuthLayout title={t('operator:signInTitle')}>
      <OperatorSignIn invite={readInvite({ hash })} />
    </AuthLayout>
  )
}

/** The operator's page; who is not signed in as an operator comes to its sign-in. */
export function OperatorHome() {
  const token = useStore(operatorToken)
  if (token === null) return <Navigate to={paths.operatorLogin} replace />
  return <OperatorPage language={<LanguageSelect />} />
}
