import type { SecondFactor } from '@floorcast/contract/second-factor.ts'
import { Button, Group, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { useMayChange, useSignedInUser } from '../../platform/session.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { secondFactorQuery, useRequireSecondFactor } from './account-data.ts'
import { PasskeyList } from './passkey-list.tsx'
import { AddPasskeyDialog, RemoveDialog, RenewDialog, SetUpDialog } from './second-factor-dialogs.tsx'

/** The user's second factor: set up, renew the recovery codes, remove; and for admins whether everyone needs one. */
export function SecondFactorPanel() {
  const { t } = useTranslate()
  const result = useQuery(secondFactorQuery())
  const { role } = useSignedInUser()
  const mayChange = useMayChange()
  return (
    <Panel title={t('account:factor.title')}>
      {result.isError && !result.data && (
        <ErrorPanel error={result.error} retry={() => void result.refetch()} />
      )}
      {result.isPending && <Skeleton height={64} aria-busy />}
      {result.data && (
        <Stack gap="md">
          <OwnFactor factor={result.data} />
          {role === 'admin' && mayChange && <Requirement factor={result.data} />}
        </Stack>
      )}
    </Panel>
  )
}

const hasFactor = ({ enrolledAt, passkeys }: SecondFactor) => enrolledAt !== null || passkeys.length > 0

type DialogName = 'setUp' | 'addPasskey' | 'renew' | 'remove'

function OwnFactor({ factor }: { factor: SecondFactor }) {
  const { t } = useTranslate()
  const format = useFormat()
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const close = () => setDialog(null)
  const { enrolledAt, passkeys, recoveryCodesLeft, isRequired } = factor
  const isProtected = hasFactor(factor)
  return (
    <>
      <div>
        {!isProtected && <Text>{t('account:factor.off')}</Text>}
        {enrolledAt !== null && <Text>{t('account:factor.on', { date: format.date(enrolledAt) })}</Text>}
        {isProtected && (
          <Text c="dimmed" size="sm">
            {t('account:factor.left', { left: recoveryCodesLeft })}
          </Text>
        )}
        {isRequired && (
          <Text c="dimmed" size="sm">
            {t('account:factor.required')}
          </Text>
        )}
      </div>
      <Group gap="xs">
        <Button variant={enrolledAt === null ? 'filled' : 'default'} onClick={() => setDialog('setUp')}>
          {t(enrolledAt === null ? 'account:factor.setUp' : 'account:factor.change')}
        </Button>
        <Button variant="default" onClick={() => setDialog('addPasskey')}>
          {t('account:factor.addPasskey')}
        </Button>
        {isProtected && (
          <Button variant="default" onClick={() => setDialog('renew')}>
            {t('account:factor.renew')}
          </Button>
        )}
        {isProtected && !isRequired && (
          <Button variant="default" onClick={() => setDialog('remove')}>
            {t('account:factor.remove')}
          </Button>
        )}
      </Group>
      <PasskeyList passkeys={passkeys} />
      {dialog === 'setUp' && <SetUpDialog isChange={enrolledAt !== null} onClose={close} />}
      {dialog === 'addPasskey' && <AddPasskeyDialog onClose={close} />}
      {dialog === 'renew' && <RenewDialog onClose={close} />}
      {dialog === 'remove' && <RemoveDialog onClose={close} />}
    </>
  )
}

function Requirement({ factor }: { factor: SecondFactor }) {
  const { t } = useTranslate()
  const { isRequired } = factor
  const isMissing = !isRequired && !hasFactor(factor)
  const { mutate, isPending } = useRequireSecondFactor()
  return (
    <Switch
      label={t('account:factor.requireAll')}
      description={t(isMissing ? 'account:factor.requireAllMissing' : 'account:factor.requireAllText')}
      checked={isRequired}
      disabled={isPending || isMissing}
      onChange={event => mutate(event.currentTarget.checked, { onError: error => toastFailure(error) })}
    />
  )
}
