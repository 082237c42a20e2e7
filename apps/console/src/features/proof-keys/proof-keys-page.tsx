import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconFileCertificate, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { queryClient } from '../../platform/query-client.ts'
import { useMayChange } from '../../platform/session.ts'
import { CopyField, CopyFieldSkeleton } from '../../ui/copy-field.tsx'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { Field, Fields } from '../../ui/detail/fields.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { onDemand } from '../../ui/overlay/on-demand.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ButtonSkeleton, TextSkeleton } from '../../ui/skeletons.tsx'
import { proofKeysQuery, showKeyId, type ProofKey } from './proof-keys-data.ts'

const forms = () => import('./proof-key-forms.tsx')

const MarkForm = onDemand(async () => (await forms()).MarkForm)
const RenewQuestion = onDemand(async () => (await forms()).RenewQuestion)

/** The open dialog: a key to mark, or the question before the key is renewed. */
type Open = { what: 'mark'; proofKey: ProofKey } | { what: 'renew' }

/** The keys of the client's signed proofs of play: the one that signs, and the former ones. */
export function ProofKeysPage() {
  const result = useQuery(proofKeysQuery())
  const [open, setOpen] = useState<Open | null>(null)
  if (result.isPending) return <KeySkeleton />
  if (!result.data) return <ErrorPanel error={result.error} retry={() => void result.refetch()} />
  const { keys } = result.data
  const signing = keys.find(({ retiredAt }) => retiredAt === null)
  const former = keys.filter(key => key !== signing)
  const close = () => setOpen(null)
  return (
    <Stack gap="md" maw={880}>
      <SigningKey proofKey={signing} setOpen={setOpen} />
      {former.length > 0 && <FormerKeys keys={former} setOpen={setOpen} />}
      {open?.what === 'mark' && <MarkForm proofKey={open.proofKey} onClose={close} />}
      {open?.what === 'renew' && <RenewQuestion isFirst={!signing} onClose={close} />}
    </Stack>
  )
}

ProofKeysPage.prefetch = () => queryClient.prefetchQuery(proofKeysQuery())

interface KeyProps {
  setOpen: (open: Open) => void
}

function Explanation() {
  const { t } = useTranslate()
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t('proofKeys:text')}
      </Text>
      <Anchor component={Link} to={paths.verify} size="sm">
        {t('proofKeys:verify')}
      </Anchor>
    </div>
  )
}

function SigningKey({ proofKey, setOpen }: KeyProps & { proofKey: ProofKey | undefined }) {
  const { t } = useTranslate()
  const format = useFormat()
  const mayChange = useMayChange()
  const renew = () => setOpen({ what: 'renew' })
  if (!proofKey)
    return (
      <Panel>
        <EmptyState
          icon={IconFileCertificate}
          title={t('proofKeys:none')}
          text={t('proofKeys:noneText')}
          action={mayChange && <Button onClick={renew}>{t('proofKeys:renew.first')}</Button>}
        />
      </Panel>
    )
  const buttons = mayChange && (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<IconAlertTriangle size={16} aria-hidden />}
        onClick={() => setOpen({ what: 'mark', proofKey })}
      >
        {t('proofKeys:mark.button')}
      </Button>
      <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={renew}>
        {t('proofKeys:renew.button')}
      </Button>
    </Group>
  )
  return (
    <Panel title={t('proofKeys:signing')} end={buttons}>
      <Stack gap="md">
        <Explanation />
        <Fields>
          <Field label={t('proofKeys:fingerprint')}>
            <bdi dir="ltr">{showKeyId(proofKey.keyId)}</bdi>
          </Field>
          <Field label={t('proofKeys:since')}>{format.dateTime(proofKey.createdAt)}</Field>
        </Fields>
        <PublicKey text={proofKey.publicKey} />
      </Stack>
    </Panel>
  )
}

function PublicKey({ text }: { text: string }) {
  const { t } = useTranslate()
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {t('proofKeys:publicKey')}
      </Text>
      <CopyField label={t('proofKeys:publicKey')} text={text} />
    </div>
  )
}

function formerColumns(t: Translate, format: Format): ListColumn<ProofKey>[] {
  return [
    {
      id: 'keyId',
      header: t('proofKeys:fingerprint'),
      cell: ({ keyId }) => <bdi dir="ltr">{showKeyId(keyId)}</bdi>,
    },
    { id: 'from', header: t('proofKeys:from'), cell: ({ createdAt }) => format.dateTime(createdAt) },
    {
      id: 'until',
      header: t('proofKeys:until'),
      cell: ({ retiredAt }) => retiredAt !== null && format.dateTime(retiredAt),
    },
    {
      id: 'state',
      header: t('proofKeys:state'),
      cell: ({ compromisedSince }) =>
        compromisedSince === null ? (
          t('proofKeys:valid')
        ) : (
          <Text inherit span c="red">
            {t('proofKeys:compromised', { since: format.dateTime(compromisedSince) })}
          </Text>
        ),
    },
  ]
}

function FormerKeys({ keys, setOpen }: KeyProps & { keys: readonly ProofKey[] }) {
  const { t } = useTranslate()
  const format = useFormat()
  const mayChange = useMayChange()
  const markColumn: ListColumn<ProofKey> = {
    id: 'mark',
    header: '',
    cell: proofKey => {
      const label = t(proofKey.compromisedSince === null ? 'proofKeys:mark.button' : 'proofKeys:mark.change')
      return (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={t('labeled', { label, value: showKeyId(proofKey.keyId) })}
          onClick={() => setOpen({ what: 'mark', proofKey })}
        >
          {label}
        </Button>
      )
    },
  }
  return (
    <Panel title={t('proofKeys:former')}>
      <PlainTable
        label={t('proofKeys:former')}
        columns={[...formerColumns(t, format), ...(mayChange ? [markColumn] : [])]}
        rows={keys}
        rowKey={({ keyId }) => keyId}
      />
    </Panel>
  )
}

function KeySkeleton() {
  const { t } = useTranslate()
  const format = useFormat()
  const mayChange = useMayChange()
  const buttons = mayChange && (
    <Group gap="xs">
      <ButtonSkeleton label={t('proofKeys:mark.button')} hasIcon />
      <ButtonSkeleton label={t('proofKeys:renew.button')} hasIcon />
    </Group>
  )
  return (
    <Stack gap="md" maw={880} aria-busy>
      <Panel title={t('proofKeys:signing')} end={buttons}>
        <Stack gap="md">
          <Explanation />
          <Fields>
            <Field label={t('proofKeys:fingerprint')}>
              <TextSkeleton text={showKeyId('0'.repeat(16))} />
            </Field>
            <Field label={t('proofKeys:since')}>
              <TextSkeleton text={format.dateTime('2026-11-28T10:00:00Z')} />
            </Field>
          </Fields>
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('proofKeys:publicKey')}
            </Text>
            <CopyFieldSkeleton text={'k'.repeat(44)} />
          </div>
        </Stack>
      </Panel>
    </Stack>
  )
}
