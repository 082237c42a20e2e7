import type { Installation } from '@floorcast/contract/dashboard.ts'
import { Group, Progress, Title } from '@mantine/core'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { joinSentences } from '../../platform/sentences.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { FoldedPanel } from '../../ui/panel.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import styles from './dashboard.module.css'
import { FreeSpaceChart, LoadChart } from './server-charts.tsx'
import { useChartRange } from './use-time-chart.ts'

type ServerState = Installation['servers'][number]

/** Load average, free space and the database by component: the whole installation, for admins. */
export function InstallationPanel({ installation }: { installation: Installation }) {
  const { t } = useTranslate()
  return (
    <FoldedPanel
      title={t('dashboard:installation')}
      note={<InShort installation={installation} />}
      storedAs="floorcast.installation"
    >
      <Details installation={installation} />
    </FoldedPanel>
  )
}

/** Names a silent server or a disk that is nearly full; without either, says what is free. */
function InShort({ installation: { servers, database } }: { installation: Installation }) {
  const { t } = useTranslate()
  const format = useFormat()
  const silent = servers.find(({ isReporting }) => !isReporting)
  const full = servers.find(server => usedShareOf(server) >= NEARLY_FULL)
  if (silent)
    return (
      <StatusBadge tone="down">
        {t('labeled', {
          label: silent.name,
          value: t('dashboard:servers.silent', { time: format.dateTime(silent.at) }),
        })}
      </StatusBadge>
    )
  if (full)
    return (
      <StatusBadge tone="late">
        {t('dashboard:servers.used', { share: format.percent(usedShareOf(full)) })}
      </StatusBadge>
    )
  const least = servers.toSorted((one, other) => one.freeBytes - other.freeBytes)[0]
  const parts = [
    ...(least
      ? [t('labeled', { label: t('dashboard:servers.free'), value: format.size(least.freeBytes) })]
      : []),
    t('labeled', { label: t('dashboard:database.title'), value: format.size(database.sizeBytes) }),
  ]
  return parts.join(' · ')
}

function Details({ installation: { servers, database } }: { installation: Installation }) {
  const { t } = useTranslate()
  const format = useFormat()
  const [range] = useChartRange()
  const { used, limit } = database.connections
  return (
    <div className={styles.installation}>
      <section aria-label={t('dashboard:servers.title')}>
        <Title order={3} mb="xs">
          {t('dashboard:servers.title')}
        </Title>
        {servers.length === 0 && <p className={styles.note}>{t('dashboard:servers.none')}</p>}
        <ul className={styles.lines}>
          {servers.map(server => (
            <li key={server.name} className={styles.server}>
              <Server server={server} />
            </li>
          ))}
        </ul>
      </section>
      <section aria-label={t('dashboard:database.title')}>
        <Group justify="space-between" mb="xs">
          <Title order={3}>{t('dashboard:database.title')}</Title>
          <span className={styles.note}>{format.size(database.sizeBytes)}</span>
        </Group>
        <PlainTable
          label={t('dashboard:database.title')}
          columns={componentColumns(t, format)}
          rows={database.components}
          rowKey={({ name }) => name}
        />
        <p className={styles.note}>
          {joinSentences(
            t('dashboard:database.state', {
              version: database.version,
              used: format.number(used),
              limit: format.number(limit),
            }),
            database.maintainedAt
              ? t('dashboard:database.maintained', { time: format.dateTime(database.maintainedAt) })
              : t('dashboard:database.neverMaintained'),
          )}
        </p>
      </section>
      <LoadChart range={range} />
      <FreeSpaceChart range={range} />
    </div>
  )
}

/** The used share of a disk that somebody should look at. */
const NEARLY_FULL = 0.9

const usedShareOf = ({ freeBytes, totalBytes }: ServerState) =>
  totalBytes === 0 ? 0 : 1 - freeBytes / totalBytes

function Server({ server }: { server: ServerState }) {
  const { t } = useTranslate()
  const format = useFormat()
  const usedShare = usedShareOf(server)
  return (
    <>
      <div className={styles.serverName}>
        <bdi>{server.name}</bdi>
        <StatusBadge tone={server.isReporting ? 'good' : 'down'}>
          {server.isReporting
            ? t('dashboard:servers.reporting')
            : t('dashboard:servers.silent', { time: format.dateTime(server.at) })}
        </StatusBadge>
      </div>
      <dl className={styles.loads}>
        {server.loadAverages.map((load, place) => (
          <div key={place}>
            <dt>{t('dashboard:servers.load', { count: [1, 5, 15][place] ?? 1 })}</dt>
            <dd>{format.number(load, 2)}</dd>
          </div>
        ))}
        <div>
          <dt>{t('dashboard:servers.free')}</dt>
          <dd>
            {t('dashboard:servers.freeOf', {
              free: format.size(server.freeBytes),
              total: format.size(server.totalBytes),
            })}
          </dd>
        </div>
      </dl>
      <Progress
        value={usedShare * 100}
        size={4}
        color={usedShare >= NEARLY_FULL ? 'amber' : 'gray'}
        aria-label={t('dashboard:servers.used', { share: format.percent(usedShare) })}
      />
    </>
  )
}

type Component = Installation['database']['components'][number]

function componentColumns(t: Translate, format: Format): ListColumn<Component>[] {
  return [
    {
      id: 'name',
      header: t('dashboard:database.component'),
      cell: ({ name }) => <bdi dir="ltr">{name}</bdi>,
    },
    {
      id: 'rows',
      header: t('dashboard:database.rows'),
      isNumber: true,
      cell: ({ rows }) => format.number(rows),
    },
    {
      id: 'bytes',
      header: t('dashboard:database.size'),
      isNumber: true,
      cell: ({ bytes }) => format.size(bytes),
    },
  ]
}
