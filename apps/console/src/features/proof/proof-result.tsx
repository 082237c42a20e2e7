import { LeftOut } from '@floorcast/contract/events.ts'
import type { ProofManifest } from '@floorcast/contract/proof-file.ts'
import type { RestoredRange } from '@floorcast/contract/redelivery.ts'
import { Alert, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { type Format, useFormat } from '../../platform/format.ts'
import { type Translate, useTranslate } from '../../platform/i18n.ts'
import type { CheckedProof } from './proof-data.ts'
import styles from './proof.module.css'

/** The result of a check: whole or changed, by whose key, and the contents of the proof. */
export function ProofResult({ fileName, proof }: { fileName: string; proof: CheckedProof }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { faults, manifest, owner, clientName, compromisedSince } = proof
  if (faults.length > 0 || !manifest)
    return (
      <Alert
        color="red"
        icon={<IconCircleX aria-hidden />}
        title={t('proof:result.changed', { name: fileName })}
      >
        <List size="sm">
          {faults.map(fault => (
            <List.Item key={fault}>{t(`proof:faults.${fault}`)}</List.Item>
          ))}
        </List>
      </Alert>
    )
  const name = clientName ?? manifest.client.name
  const since = compromisedSince === null ? '' : format.dateTime(compromisedSince)
  const look = {
    own: { color: 'green', icon: <IconCircleCheck aria-hidden /> },
    foreign: { color: 'red', icon: <IconCircleX aria-hidden /> },
    compromised: { color: 'red', icon: <IconAlertTriangle aria-hidden /> },
    unknown: { color: 'amber', icon: <IconAlertTriangle aria-hidden /> },
    'not-asked': { color: 'amber', icon: <IconAlertTriangle aria-hidden /> },
  }[owner]
  return (
    <Stack gap="md">
      <Alert {...look} title={t(`proof:owners.${owner}.title`, { name })}>
        <Text size="sm">{t('proof:result.whole', { file: fileName })}</Text>
        <Text size="sm">{t(`proof:owners.${owner}.text`, { name, since })}</Text>
      </Alert>
      <Facts manifest={manifest} />
    </Stack>
  )
}

/** Names the plays that count nowhere: '20 overlapping', each reason with its plays. */
function nameLeftOut(
  leftOut: NonNullable<ProofManifest['counts']['leftOut']>,
  { t, format }: { t: Translate; format: Format },
): string {
  const parts = LeftOut.options.flatMap(reason => {
    const plays = leftOut[reason]
    return plays === undefined ? [] : t(`proof:leftOut.${reason}`, { plays: format.number(plays) })
  })
  return parts.length === 0 ? t('proof:facts.noneLeftOut') : format.list(parts)
}

/** Days that were not whole when the proof was made; empty if all were. */
function restoredFact({ restored }: ProofManifest, t: Translate, day: (text: string) => string) {
  const { awaited, lost } = restored ?? {}
  const inWords = ({ from, to, devices }: RestoredRange) => ({ from: day(from), to: day(to), devices })
  const parts = [
    ...(awaited ? [t('proof:facts.restoredAwaited', inWords(awaited))] : []),
    ...(lost ? [t('proof:facts.restoredLost', inWords(lost))] : []),
  ]
  return parts.length === 0 ? [] : [[t('proof:facts.restored'), parts.join('. ')] as [string, string]]
}

function Facts({ manifest }: { manifest: ProofManifest }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { client, filters, period, counts, madeAt, publicKey } = manifest
  // Days have no zone: noon is on the same day everywhere.
  const day = (text: string) => format.date(`${text}T12:00:00`)
  const zone = period.zone === 'device' ? t('proof:facts.ownZone') : period.zone
  const facts: [string, string, 'ltr'?][] = [
    [t('proof:facts.client'), client.name],
    [t('proof:facts.media'), filters.media.name],
    [t('proof:facts.period'), t('proof:facts.days', { from: day(period.from), to: day(period.to), zone })],
    [t('proof:facts.adPlays'), format.number(counts.adPlays)],
    [t('proof:facts.completePlays'), format.number(counts.completePlays)],
    [t('proof:facts.leftOut'), nameLeftOut(counts.leftOut ?? {}, { t, format })],
    ...restoredFact(manifest, t, day),
    [t('proof:facts.devices'), format.number(counts.devices)],
    [
      t('proof:facts.impressions'),
      counts.grossImpressions === null
        ? t('proof:facts.noAudience')
        : t('proof:facts.impressionsOf', {
            impressions: format.number(counts.grossImpressions, 1),
            plays: format.number(counts.adPlaysWithAudience),
          }),
    ],
    [t('proof:facts.madeAt'), format.dateTime(madeAt)],
    [t('proof:facts.key'), publicKey, 'ltr'],
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(([label, value, dir]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi {...(dir ? { dir } : {})}>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
