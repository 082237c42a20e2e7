import type { PublicationCard } from '@floorcast/contract/publications.ts'
import { outcomeByCode, type Outcome, type OutcomeName } from '@floorcast/contract/outcomes.ts'
import { Alert, Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { Refusal } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { describeFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { usePublishLink } from '../../platform/publish-address.ts'
import { sentenceGap } from '../../platform/sentences.ts'

interface RefusedProps {
  error: unknown
  publication: Pick<PublicationCard, 'group' | 'playlist'>
}

/** Why a publication could not be turned on (the codes of docs/specification.md#4-states-and-transitions), with the page where that is corrected. */
export function PublicationRefused({ error, publication }: RefusedProps) {
  const { t } = useTranslate()
  const publishLink = usePublishLink({ playlist: publication.playlist.uid, group: publication.group.uid })
  const outcome = error instanceof Refusal ? error.outcome : null
  const fix = outcome && findFix(outcome, publication)
  const isPaused = outcome !== null && pausedOutcomes.includes(outcomeByCode(outcome.code))
  return (
    <Alert color="red" role="alert" mt="sm">
      {describeFailure(t, error, 'publication')}
      {isPaused && (
        <>
          {sentenceGap()}
          <Anchor component={Link} to={publishLink} preventScrollReset inherit td="underline" fw={600}>
            {t('publish:activateAndPublish')}
          </Anchor>
        </>
      )}
      {fix && (
        <>
          {sentenceGap()}
          <Anchor component={Link} to={fix.to} inherit td="underline">
            {t(`publications:fixes.${fix.name}`, { name: fix.targetName })}
          </Anchor>
        </>
      )}
    </Alert>
  )
}

/** The sheet activates what is paused and publishes it in one step. */
const pausedOutcomes: readonly (OutcomeName | undefined)[] = ['groupPaused', 'playlistPaused']

/** Reasons of -2 that are corrected at the playlist. */
const playlistFaults: readonly (string | undefined)[] = ['playlist-empty', 'outside-dates']

function findFix({ code, reason }: Outcome, { group, playlist }: RefusedProps['publication']) {
  const outcome = outcomeByCode(code)
  if (outcome === 'groupPaused')
    return { name: 'group' as const, to: paths.group(group.uid), targetName: group.name }
  if (outcome === 'playlistPaused' || playlistFaults.includes(reason)) {
    return { name: 'playlist' as const, to: paths.playlist(playlist.uid), targetName: playlist.name }
  }
  if (outcome === 'groupTaken') {
    const search = new URLSearchParams({ search: `"${group.name}"` })
    return { name: 'publications' as const, to: `${paths.publications}?${search}`, targetName: group.name }
  }
  return null
}
