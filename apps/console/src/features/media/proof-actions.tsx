import { downloadProof } from '@floorcast/contract/proof.ts'
import type { MediaCard } from '@floorcast/contract/media.ts'
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconFileCertificate, IconReportAnalytics } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { downloadRead } from '../../platform/download.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { sentenceGap } from '../../platform/sentences.ts'

/** The figures above count days in UTC. */
const ZONE = 'UTC'

interface ProofActionsProps {
  media: MediaCard
  /** Days in UTC, both inclusive, as the figures above count them. */
  period: { from: string; to: string }
}

/** The proof of play of an ad: the report by shop and day, the signed file of each play, and the page that verifies it. */
export function ProofActions({ media, period }: ProofActionsProps) {
  const { t } = useTranslate()
  const [isBusy, setIsBusy] = useState(false)
  const download = () => {
    setIsBusy(true)
    const input = { params: { uid: media.uid, ...period, zone: ZONE }, query: {} }
    const name = `${media.name} proof of play ${period.from} ${period.to}.zip`
    downloadRead(downloadProof, input, name)
      .catch((error: unknown) => toastFailure(error))
      .finally(() => setIsBusy(false))
  }
  return (
    <Stack gap="xs" mt="md">
      <Group gap="sm">
        <Button
          component={Link}
          to={paths.report('proof', {
            track: media.uid,
            contentType: media.contentType,
            ...period,
            zone: ZONE,
          })}
          variant="light"
          leftSection={<IconReportAnalytics size={16} aria-hidden />}
        >
          {t('media:delivery.proofReport')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconFileCertificate size={16} aria-hidden />}
          loading={isBusy}
          onClick={download}
        >
          {t('media:delivery.proof')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {t('media:delivery.proofHint')}
        {sentenceGap()}
        <Anchor component={Link} to={paths.verify} size="sm" td="underline">
          {t('media:delivery.proofVerify')}
        </Anchor>
      </Text>
    </Stack>
  )
}
