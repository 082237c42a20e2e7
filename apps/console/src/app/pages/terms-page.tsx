import { Stack, Text } from '@mantine/core'
import { AuthLayout } from '../../features/auth/auth-layout.tsx'
import { useTranslate } from '../../platform/i18n.ts'

const parts = ['operator', 'account', 'rights', 'data', 'warranty', 'end'] as const

/** The terms of use of an installation that has none at an address named by TERMS_URL. */
export function TermsPage() {
  const { t } = useTranslate()
  return (
    <AuthLayout title={t('account:terms.title')} isWide>
      <Stack gap="md">
        {parts.map(part => (
          <Text key={part}>{t(`account:terms.${part}`)}</Text>
        ))}
      </Stack>
    </AuthLayout>
  )
}
