import { REPORT_ENUMS } from '@floorcast/contract/report-columns.ts'
import { reportNames, type ReportFilter, type ReportName } from '@floorcast/contract/reports.ts'
import { Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconReportAnalytics } from '@tabler/icons-react'
import { useEffect, useMemo } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useLanguage, useTranslate } from '../../platform/i18n.ts'
import { hasLeft } from '../../platform/navigate.ts'
import type { PageAddress } from '../../platform/page-address.ts'
import { queryClient } from '../../platform/query-client.ts'
import { sessionStore, useSignedInUser } from '../../platform/session.ts'
import { readStored, writeStored } from '../../platform/storage.ts'
import { useNow } from '../../platform/use-now.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Panel } from '../../ui/panel.tsx'
import { LateSelect } from './late-select.tsx'
import { DownloadBar } from './download-bar.tsx'
import { ItemFilter } from './item-filter.tsx'
import { PeriodFields, ZoneField } from './period-fields.tsx'
import { previewQuery, type FilterItem, type ItemKind } from './report-data.ts'
import { checkPeriod } from './report-period.ts'
import { ReportPreview } from './report-preview.tsx'
import {
  definitionOf,
  hasRequiredFilters,
  isZone,
  readView,
  todayIn,
  toParams,
  writeMemory,
  writeView,
  type ReportView,
} from './report-view.ts'
import styles from './reports.module.css'

/** A date that is typed changes with each digit; a preview is asked for after that. */
const previewWaitMs = 400
const memoryKey = (userUid: string) => `floorcast.report.${userUid}`

/** Whether the server would take period and zone. */
const hasPeriod = ({ period, zone }: ReportView) => checkPeriod(period) === null && isZone(zone)

/** The view in the page's address, completed by what the user had last, which it remembers. */
function useReportView() {
  const { uid } = useSignedInUser()
  const { language } = useLanguage()
  const [address, setAddress] = useSearchParams()
  const { pathname } = useLocation()
  const nowMs = useNow(null)
  const view = useMemo(
    () => readView(address, { memory: readStored(memoryKey(uid)), lang: language.code, nowMs }),
    [address, uid, language, nowMs],
  )
  const whole = writeView(view).toString()
  useEffect(() => {
    if (hasPeriod(view)) writeStored(memoryKey(uid), writeMemory(view, nowMs))
    if (address.toString() === whole || hasLeft(pathname)) return
    setAddress(whole, { replace: true, preventScrollReset: true })
  }, [address, whole, setAddress, pathname, uid, view, nowMs])
  const change = (next: Partial<ReportView>) => {
    // A step back leads to another report, not through each digit of a date.
    const replace = next.report === undefined
    setAddress(writeView({ ...view, ...next }), { replace, preventScrollReset: true })
  }
  return { view, change, today: todayIn(view.zone, nowMs) }
}

/** /home/reports: choose a report, see its first rows, download it. */
export function ReportsPage() {
  const { view, change, today } = useReportView()
  const isReady = hasPeriod(view) && hasRequiredFilters(view)
  const [debounced] = useDebouncedValue(view, previewWaitMs)
  const shown = debounced.report === view.report ? debounced : view
  return (
    <Stack gap="md">
      <Panel>
        <Stack gap="md">
          <ReportChoice report={view.report} onChange={report => change({ report })} />
          <div className={styles.fields}>
            <PeriodFields period={view.period} today={today} onChange={period => change({ period })} />
            <ZoneField zone={view.zone} onChange={zone => change({ zone })} />
            <Filters view={view} change={change} />
          </div>
          <DownloadBar view={view} change={change} isReady={isReady} />
        </Stack>
      </Panel>
      {!hasRequiredFilters(view) && <ChooseItem />}
      {isReady && <ReportPreview view={shown} today={today} change={change} />}
    </Stack>
  )
}

ReportsPage.prefetch = async ({ search }: PageAddress) => {
  const { user } = sessionStore.get()
  if (!user) return
  const memory = readStored(memoryKey(user.uid))
  // The preview does not depend on the language.
  const view = readView(search, { memory, lang: 'en', nowMs: Date.now() })
  if (hasPeriod(view) && hasRequiredFilters(view))
    await queryClient.prefetchQuery(previewQuery(view.report, toParams(view)))
}

/** Replaces the preview while a filter that the report requires is empty. */
function ChooseItem() {
  const { t } = useTranslate()
  return (
    <Panel title={t('reports:screen.preview')}>
      <EmptyState
        icon={IconReportAnalytics}
        title={t('reports:screen.choose')}
        text={t('reports:screen.chooseText')}
      />
    </Panel>
  )
}

interface ReportChoiceProps {
  report: ReportName
  onChange: (report: ReportName) => void
}

/** The served reports, each with what one of its rows is. */
function ReportChoice({ report, onChange }: ReportChoiceProps) {
  const { t } = useTranslate()
  return (
    <LateSelect
      className={styles.report ?? ''}
      size="md"
      label={t('reports:screen.report')}
      description={t(`reports:descriptions.${report}`)}
      inputWrapperOrder={['label', 'input', 'description']}
      value={report}
      data={reportNames.map(name => ({ value: name, label: t(`reports:names.${name}`) }))}
      renderOption={({ option }) => (
        <span>
          {option.label}
          <Text component="span" className={styles.option ?? ''}>
            {t(`reports:descriptions.${option.value as ReportName}`)}
          </Text>
        </span>
      )}
      onChange={value => {
        const chosen = reportNames.find(name => name === value)
        if (chosen) onChange(chosen)
      }}
    />
  )
}

/** The kinds of items that filters pick; a mode is chosen from a list, and another filter picks by it. */
const itemKinds = {
  media: 'media',
  ad: 'ad',
  device: 'device',
  playlist: 'playlist',
} as const satisfies Partial<Record<ReportFilter['picks'], ItemKind>>

function itemKindOf({ picks }: ReportFilter, mode: string | undefined): ItemKind | null {
  if (picks === 'mode') return null
  if (picks !== 'byMode') return itemKinds[picks]
  return mode === 'device' || mode === 'group' ? mode : null
}

interface FiltersProps {
  view: ReportView
  change: (change: Partial<ReportView>) => void
}

/** The filters of the report, as the contract describes them. */
function Filters({ view, change }: FiltersProps) {
  const { t } = useTranslate()
  const { filters } = view
  const set = (key: ReportFilter['key'], item: FilterItem | undefined) => {
    const { [key]: _, ...others } = filters
    const contentType = key === 'track' ? item?.contentType : view.contentType
    change({ filters: item ? { ...others, [key]: item.uid } : others, contentType })
  }
  const itemAt = (key: ReportFilter['key']): FilterItem | undefined => {
    const uid = filters[key]
    if (uid === undefined) return undefined
    return key === 'track' && view.contentType ? { uid, contentType: view.contentType } : { uid }
  }
  return definitionOf(view.report).filters.map(filter => {
    const kind = itemKindOf(filter, filters.mode)
    if (filter.picks === 'mode')
      return (
        <ModeFilter
          key={filter.key}
          mode={filters.mode ?? 'all'}
          onChange={mode => change({ filters: mode === 'all' ? {} : { mode } })}
        />
      )
    return (
      kind !== null && (
        <ItemFilter
          key={`${filter.key}-${kind}`}
          kind={kind}
          label={
            filter.picks === 'byMode'
              ? t(`reports:values.target.${kind as 'device'}`)
              : t(`reports:filters.${filter.key}`)
          }
          item={itemAt(filter.key)}
          isRequired={filter.isRequired === true}
          onChange={item => set(filter.key, item)}
        />
      )
    )
  })
}

function ModeFilter({ mode, onChange }: { mode: string; onChange: (mode: string) => void }) {
  const { t } = useTranslate()
  return (
    <LateSelect
      label={t('reports:filters.mode')}
      value={mode}
      data={REPORT_ENUMS.target.map(value => ({ value, label: t(`reports:values.target.${value}`) }))}
      onChange={value => onChange(value ?? 'all')}
    />
  )
}
