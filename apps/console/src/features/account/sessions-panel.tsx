import type { UserSession } from '@floorcast/contract/sessions.ts'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { toast } from '../../platform/toasts.ts'
import { useNow } from '../../platform/use-now.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TextSkeleton } from '../../ui/skeletons.tsx'
import { sessionsQuery, useEndOtherSessions, useEndOwnSession } from './account-data.ts'
import styles from './account.module.css'
import { readUserAgent } from '../../platform/browser-name.ts'

/** The user's sessions, which the user can end. */
export function SessionsPanel() {
  const { t } = useTranslate()
  const result = useQuery(sessionsQuery())
  const endOthers = useEndOtherSessions()
  const endSession = useEndOwnSession()
  // Here, not in the row: it is gone when the list has been fetched again.
  const endOne = (uid: string) =>
    endSession.mutate(
      { uid },
      {
        onSuccess: () => void toast('success', t('account:sessions.ended')),
        onError: error => toastFailure(error),
      },
    )
  const end = () =>
    endOthers.mutate(undefined, {
      onSuccess: () => void toast('success', t('account:sessions.othersEnded')),
      onError: error => toastFailure(error),
    })
  const hasOthers = result.data?.some(session => !session.isCurrent) === true
  return (
    <Panel
      title={t('account:sessions.title')}
      end={
        hasOthers && (
          <Button variant="default" loading={endOthers.isPending} onClick={end}>
            {t('account:sessions.endOthers')}
          </Button>
        )
      }
    >
      <Text c="dimmed" size="sm" mb="md">
        {t('account:sessions.text')}
      </Text>
      {result.isPending && <SessionSkeleton />}
      {result.isError && <ErrorPanel error={result.error} retry={() => void result.refetch()} />}
      {result.data && (
        <ul className={styles.sessions}>
          {result.data.map(session => (
            <Session
              key={session.uid}
              session={session}
              isEnding={endSession.isPending && endSession.variables.uid === session.uid}
              onEnd={() => endOne(session.uid)}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}

interface SessionProps {
  session: UserSession
  isEnding: boolean
  onEnd: () => void
}

function describeBrowser(t: Translate, userAgent: string | null): string {
  const named = readUserAgent(userAgent)
  const program = named?.program ?? t('account:sessions.unknownProgram')
  return named?.system ? t('account:sessions.on', { program, system: named.system }) : program
}

/** This browser's own session. */
function SessionSkeleton() {
  const { t } = useTranslate()
  const format = useFormat()
  const time = format.dateTime(new Date(useNow(null)).toISOString())
  return (
    <ul className={styles.sessions} aria-busy>
      <li className={styles.session} aria-hidden>
        <div>
          <Group gap="xs">
            <Text fw={500}>
              <TextSkeleton text={describeBrowser(t, navigator.userAgent)} />
            </Text>
            <TextSkeleton text={t('account:sessions.this')} />
          </Group>
          <Text size="sm">
            <TextSkeleton text={`127.0.0.1 · ${t('account:sessions.lastUsed', { time })}`} />
          </Text>
        </div>
      </li>
    </ul>
  )
}

function Session({ session, isEnding, onEnd }: SessionProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const name = describeBrowser(t, session.userAgent)
  return (
    <li className={styles.session}>
      <div>
        <Group gap="xs">
          <Text fw={500}>{name}</Text>
          {session.isCurrent && <Badge variant="light">{t('account:sessions.this')}</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {session.address === null ? (
            t('account:sessions.unknownAddress')
          ) : (
            <bdi dir="ltr">{session.address}</bdi>
          )}
          {' · '}
          {t('account:sessions.lastUsed', { time: format.dateTime(session.lastUsedAt) })}
        </Text>
      </div>
      {!session.isCurrent && (
        <Button
          variant="default"
          size="xs"
          flex="none"
          loading={isEnding}
          aria-label={t('account:sessions.endOf', { name })}
          onClick={onEnd}
        >
          {t('account:sessions.end')}
        </Button>
      )}
    </li>
  )
}
