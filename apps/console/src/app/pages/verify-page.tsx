import { AuthLayout } from '../../features/auth/auth-layout.tsx'
import { ProofVerifier } from '../../features/proof/proof-verifier.tsx'
import { useTranslate } from '../../platform/i18n.ts'

/** Anyone verifies the file of a signed proof of play, without signing in. */
export function VerifyPage() {
  const { t } = useTranslate()
  return (
    <AuthLayout title={t('proof:verify.title')} isWide>
      <ProofVerifier />
    </AuthLayout>
  )
}
