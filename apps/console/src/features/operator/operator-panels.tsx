import * as contract from '@floorcast/contract/operator.ts'
import { Button, SimpleGrid, Text } from '@mantine/core'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

type Overview = contract.OperatorOverview

/** A time, or a dash where there is none. */
export const TimeOr = ({ instant }: { instant: string | null }) =>
  instant === null ? <>–</> : <RelativeTime instant={instant} />

function LastBackup({ backup }: Pick<Overview, 'backup'>) {
  const { t } = useTranslate()
  if (!backup.isScheduled) return t('operator:notScheduled')
  if (backup.isTargetMissing)
    return (
      <Text inherit span c="red">
        {t('operator:targetMissing')}
      </Text>
    )
  return <TimeOr instant={backup.newestAt} />
}

export function FiguresPanel({ overview }: { overview: Overview }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { totals, database, backup } = overview
  const ofMax = (used: number, limit: number) =>
    t('operator:ofMax', { used: format.number(used), limit: format.number(limit) })
  const figures = [
    [t('operator:figures.clients'), format.number(totals.clients)],
    [t('operator:figures.devices'), format.number(totals.devices)],
    [t('operator:figures.online'), format.number(totals.online)],
    [t('operator:figures.silent'), format.number(totals.silent)],
    [t('operator:figures.down'), format.number(totals.down)],
    [
      t('operator:figures.database'),
      `PostgreSQL ${database.version.split(' ')[0]} · ${format.size(database.sizeBytes)}`,
    ],
    [t('operator:figures.connections'), ofMax(database.connections.used, database.connections.limit)],
    [t('operator:figures.maintained'), <TimeOr key="m" instant={database.maintainedAt} />],
    [t('operator:figures.backup'), <LastBackup key="b" backup={backup} />],
  ] as const
  return (
    <Panel
      title={t('operator:sections.installation')}
      end={
        <Text size="sm" c="dimmed" dir="ltr">
          {overview.version}
        </Text>
      }
    >
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 5 }} spacing="md" m={0}>
        {figures.map(([label, figure]) => (
          <div key={label}>
            <Text component="dt" size="xs" c="dimmed">
              {label}
            </Text>
            <Text component="dd" size="sm" m={0} className="fc-figures">
              {figure}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Panel>
  )
}

export function ServersPanel({ overview }: { overview: Overview }) {
  const { t } = useTranslate()
  const format = useFormat()
  const columns = [
    {
      id: 'name',
      header: t('operator:columns.server'),
      cell: (row: Overview['servers'][number]) => <bdi>{row.name}</bdi>,
    },
    {
      id: 'version',
      header: t('operator:columns.version'),
      cell: (row: Overview['servers'][number]) => row.version ?? '–',
    },
    {
      id: 'load',
      header: t('operator:columns.load'),
      isNumber: true,
      cell: (row: Overview['servers'][number]) =>
        row.loadAverages.map(load => format.number(load, 2)).join(' · '),
    },
    {
      id: 'free',
      header: t('operator:columns.free'),
      isNumber: true,
      cell: (row: Overview['servers'][number]) =>
        t('operator:ofMax', { used: format.size(row.freeBytes), limit: format.size(row.totalBytes) }),
    },
    {
      id: 'seen',
      header: t('operator:columns.seen'),
      cell: (row: Overview['servers'][number]) => <RelativeTime instant={row.at} />,
    },
  ]
  return (
    <Panel title={t('operator:sections.servers')}>
      <PlainTable
        label={t('operator:sections.servers')}
        columns={columns}
        rows={overview.servers}
        rowKey={({ name }) => name}
      />
    </Panel>
  )
}

const isJobName = (name: string): name is contract.JobName => contract.JobName.safeParse(name).success

function stateOf({ isRunning, startedAt, endedAt, outcome }: contract.JobOfServer) {
  if (isRunning) return 'running'
  if (startedAt !== null && endedAt === null) return 'interrupted'
  return outcome
}

interface JobsProps {
  overview: Overview
  busy: string | null
  onRun: (name: contract.JobName) => void
}

export function JobsPanel({ overview, busy, onRun }: JobsProps) {
  const { t } = useTranslate()
  const stateText = (job: contract.JobOfServer) => {
    const state = stateOf(job)
    return state === null ? '–' : t(`operator:states.${state}`)
  }
  const nameOf = (job: contract.JobOfServer) =>
    isJobName(job.name) ? t(`operator:jobs.${job.name}`) : job.name
  const columns = [
    { id: 'name', header: t('operator:columns.name'), cell: nameOf },
    {
      id: 'server',
      header: t('operator:columns.server'),
      cell: (job: contract.JobOfServer) => <bdi>{job.server}</bdi>,
    },
    {
      id: 'last',
      header: t('operator:columns.last'),
      cell: (job: contract.JobOfServer) => <TimeOr instant={job.startedAt} />,
    },
    { id: 'state', header: t('operator:columns.state'), cell: stateText },
    {
      id: 'next',
      header: t('operator:columns.next'),
      cell: (job: contract.JobOfServer) => <TimeOr instant={job.nextAt} />,
    },
    {
      id: 'run',
      header: '',
      cell: ({ name, isRunning }: contract.JobOfServer) =>
        isJobName(name) && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${t('operator:jobs.run')}: ${t(`operator:jobs.${name}`)}`}
            disabled={isRunning}
            loading={busy === name}
            onClick={() => onRun(name)}
          >
            {t('operator:jobs.run')}
          </Button>
        ),
    },
  ]
  return (
    <Panel title={t('operator:sections.jobs')}>
      <PlainTable
        label={t('operator:sections.jobs')}
        columns={columns}
        rows={overview.jobs}
        rowKey={({ name, server }) => `${name} ${server}`}
      />
    </Panel>
  )
}

type Queue = Overview['queues'][number]
type Agent = Overview['agents'][number]

export function QueuesPanel({ overview }: { overview: Overview }) {
  const { t } = useTranslate()
  const format = useFormat()
  const columns = [
    {
      id: 'name',
      header: t('operator:columns.name'),
      cell: ({ name }: Queue) => t(`operator:queues.${name}`),
    },
    {
      id: 'waiting',
      header: t('operator:columns.waiting'),
      isNumber: true,
      cell: ({ waiting }: Queue) => format.number(waiting),
    },
    {
      id: 'oldest',
      header: t('operator:columns.oldest'),
      cell: ({ oldestAt }: Queue) => <TimeOr instant={oldestAt} />,
    },
  ]
  return (
    <Panel title={t('operator:sections.queues')}>
      <PlainTable
        label={t('operator:sections.queues')}
        columns={columns}
        rows={overview.queues}
        rowKey={({ name }) => name}
      />
    </Panel>
  )
}

export function AgentsPanel({ overview }: { overview: Overview }) {
  const { t } = useTranslate()
  const format = useFormat()
  const columns = [
    {
      id: 'version',
      header: t('operator:columns.version'),
      cell: ({ version }: Agent) => <bdi>{version ?? '–'}</bdi>,
    },
    {
      id: 'devices',
      header: t('operator:figures.devices'),
      isNumber: true,
      cell: ({ devices }: Agent) => format.number(devices),
    },
    {
      id: 'online',
      header: t('operator:figures.online'),
      isNumber: true,
      cell: ({ online }: Agent) => format.number(online),
    },
  ]
  return (
    <Panel title={t('operator:sections.agents')}>
      {overview.agents.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('operator:none')}
        </Text>
      ) : (
        <PlainTable
          label={t('operator:sections.agents')}
          columns={columns}
          rows={overview.agents}
          rowKey={({ version }) => version ?? ''}
        />
      )}
    </Panel>
  )
}
