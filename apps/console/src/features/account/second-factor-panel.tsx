import type { SecondFactor, Passkey } from '@floorcast/contract/second-factor.ts'
import { Button, Group, Stack, Switch, Text, ActionIcon } from '@mantine/core'
import { IconKey, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { useMayChange, useSignedInUser } from '../../platform/session.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ButtonSkeleton, TextSkeleton } from '../../ui/skeletons.tsx'
import { secondFactorQuery, useRequireSecondFactor } from './account-data.ts'
import {
  AddPasskeyDialog,
  RemoveDialog,
  RenewDialog,
  SetUpDialog,
  RemovePasskeyDialog,
} from './second-factor-dialogs.tsx'

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
      {result.isPending && <FactorSkeleton hasRequirement={role === 'admin' && mayChange} />}
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
  const since = enrolledAt === null ? null : format.date(enrolledAt)
  return (
    <>
      <Text size="sm" c="dimmed">
        {t(isRequired ? 'account:factor.required' : isProtected ? 'account:factor.on' : 'account:factor.off')}
      </Text>
      <FactorRow
        title={t('account:factor.app')}
        text={since === null ? t('account:factor.appOff') : t('account:factor.appOn', { date: since })}
      >
        <Button variant={isProtected ? 'default' : 'filled'} onClick={() => setDialog('setUp')}>
          {t(since === null ? 'account:factor.setUp' : 'account:factor.change')}
        </Button>
      </FactorRow>
      <FactorRow
        title={t('account:factor.passkeys')}
        text={t('account:factor.passkeysText')}
        below={<PasskeyList passkeys={passkeys} />}
      >
        <Button variant="default" onClick={() => setDialog('addPasskey')}>
          {t('account:factor.addPasskey')}
        </Button>
      </FactorRow>
      {isProtected && (
        <FactorRow
          title={t('account:step.codes')}
          text={t('account:factor.left', { left: recoveryCodesLeft })}
        >
          <Button variant="default" onClick={() => setDialog('renew')}>
            {t('account:factor.renew')}
          </Button>
        </FactorRow>
      )}
      {isProtected && !isRequired && (
        <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setDialog('remove')}>
          {t('account:factor.removeTitle')}
        </Button>
      )}
      {dialog === 'setUp' && <SetUpDialog isChange={enrolledAt !== null} onClose={close} />}
      {dialog === 'addPasskey' && <AddPasskeyDialog onClose={close} />}
      {dialog === 'renew' && <RenewDialog onClose={close} />}
      {dialog === 'remove' && <RemoveDialog onClose={close} />}
    </>
  )
}

/** One kind of factor: what it is, how it stands, and a button. */
function FactorRow(props: { title: string; text: ReactNode; children: ReactNode; below?: ReactNode }) {
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="sm">
        <div style={{ flex: '1 1 16rem' }}>
          <Text fw={600}>{props.title}</Text>
          <Text c="dimmed" size="sm">
            {props.text}
          </Text>
        </div>
        {props.children}
      </Group>
      {props.below}
    </Stack>
  )
}

/** Most users have no second factor. */
function FactorSkeleton({ hasRequirement }: { hasRequirement: boolean }) {
  const { t } = useTranslate()
  return (
    <Stack gap="md" aria-busy>
      <Text size="sm">
        <TextSkeleton text={t('account:factor.off')} />
      </Text>
      <FactorRow title={t('account:factor.app')} text={<TextSkeleton text={t('account:factor.appOff')} />}>
        <ButtonSkeleton label={t('account:factor.setUp')} />
      </FactorRow>
      <FactorRow title={t('account:factor.passkeys')} text={t('account:factor.passkeysText')}>
        <ButtonSkeleton label={t('account:factor.addPasskey')} />
      </FactorRow>
      {hasRequirement && (
        <Switch
          aria-label={t('account:factor.requireAll')}
          label={<TextSkeleton text={t('account:factor.requireAll')} />}
          description={<TextSkeleton text={t('account:factor.requireAllMissing')} />}
          checked={false}
          disabled
        />
      )}
    </Stack>
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
      onChange={({ currentTarget: { checked } }) =>
        mutate({ isRequired: checked }, { onError: error => toastFailure(error) })
      }
    />
  )
}

/** The user's passkeys, each with a button that removes it. */
function PasskeyList({ passkeys }: { passkeys: readonly Passkey[] }) {
  const { t } = useTranslate()
  const format = useFormat()
  const [removed, setRemoved] = useState<Passkey | null>(null)
  if (passkeys.length === 0) return null
  return (
    <Stack gap="xs" component="ul" p={0} m={0} aria-label={t('account:factor.passkeys')}>
      {passkeys.map(passkey => (
        <Group key={passkey.uid} component="li" gap="xs" wrap="nowrap" style={{ listStyle: 'none' }}>
          <IconKey size={20} aria-hidden />
          <Text style={{ flex: 1 }}>
            <bdi>{passkey.name}</bdi>{' '}
            <Text span c="dimmed" size="sm">
              {t('account:factor.passkeyMade', { date: format.date(passkey.createdAt) })}
            </Text>
          </Text>
          <ActionIcon
            aria-label={t('account:factor.removePasskey', { name: passkey.name })}
            onClick={() => setRemoved(passkey)}
          >
            <IconTrash size={20} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {removed && <RemovePasskeyDialog passkey={removed} onClose={() => setRemoved(null)} />}
    </Stack>
  )
}
