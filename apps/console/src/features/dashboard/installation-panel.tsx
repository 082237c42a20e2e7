import type { Installation } from '@floorcast/contract/dashboard.ts'
import { Progress } from '@mantine/core'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { joinSentences } from '../../platform/sentences.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { Panel } from '../../ui/panel.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import styles from './dashboard.module.css'

/** Load average, free space and the database by component: the whole installation, for admins. */
export function InstallationPanel({ installation }: { installation: Installation }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { servers, database } = installation
  const { used, limit } = database.connections
  return (
    <div className={styles.installation}>
      <Panel title={t('dashboard:servers.title')}>
        {servers.length === 0 && <p className={styles.note}>{t('dashboard:servers.none')}</p>}
        <ul className={styles.lines}>
          {servers.map(server => (
            <li key={server.name} className={styles.server}>
              <Server server={server} />
            </li>
          ))}
        </ul>
      </Panel>
      <Panel
        title={t('dashboard:database.title')}
        end={<span className={styles.note}>{format.size(database.sizeBytes)}</span>}
      >
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
      </Panel>
    </div>
  )
}

function Server({ server }: { server: Installation['servers'][number] }) {
  const { t } = useTranslate()
  const format = useFormat()
  const usedShare = server.totalBytes === 0 ? 0 : 1 - server.freeBytes / server.totalBytes
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
        color={usedShare >= 0.9 ? 'amber' : 'gray'}
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
