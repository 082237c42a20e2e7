import type { DeviceMap as MapAnswer, MapCluster } from '@floorcast/contract/charts.ts'
import { ActionIcon, Anchor, Button, Group, Skeleton, Text } from '@mantine/core'
import { IconMap2, IconTable } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { loadPart } from '../../platform/load-part.ts'
import { paths } from '../../platform/paths.ts'
import { ConnectivityBadge } from '../../ui/connectivity-badge.tsx'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import type { MapBubble } from '../../ui/map/map-bubble.ts'
import { Tooltip } from '../../ui/overlay/overlays.tsx'
import { Panel } from '../../ui/panel.tsx'
import { deviceMapQuery } from './dashboard-data.ts'
import styles from './dashboard.module.css'
import { joinClusters, scaleOf } from './map-clusters.ts'

const WorldMap = lazy(() => loadPart(() => import('../../ui/map/world-map.tsx')))

const states = ['online', 'linkdown', 'linklost', 'neverup'] as const

/** The map of the devices, on demand: its part of the console comes with the first click. */
export function DeviceMapPanel() {
  const { t } = useTranslate()
  const [isOpen, setIsOpen] = useState(false)
  const [isTable, setIsTable] = useState(false)
  const label = t(isTable ? 'dashboard:map.asMap' : 'dashboard:map.asTable')
  return (
    <Panel
      title={t('dashboard:map.title')}
      end={
        isOpen ? (
          <Tooltip label={label}>
            <ActionIcon aria-label={label} onClick={() => setIsTable(!isTable)}>
              {isTable ? <IconMap2 size={20} aria-hidden /> : <IconTable size={20} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        ) : (
          <Button
            variant="default"
            leftSection={<IconMap2 size={16} aria-hidden />}
            onClick={() => setIsOpen(true)}
          >
            {t('dashboard:map.open')}
          </Button>
        )
      }
    >
      {isOpen ? <OpenMap isTable={isTable} /> : <Text c="dimmed">{t('dashboard:map.hint')}</Text>}
    </Panel>
  )
}

function OpenMap({ isTable }: { isTable: boolean }) {
  const { t } = useTranslate()
  const format = useFormat()
  const navigate = useNavigate()
  const [scale, setScale] = useState(() => scaleOf(2))
  const { data, isError, error, refetch } = useQuery(deviceMapQuery(scale.zoom))
  const clusters = useMemo(() => joinClusters(data?.clusters ?? [], scale.joinDegrees), [data, scale])
  const bubbles = useMemo(() => clusters.map(cluster => toBubble(t, format, cluster)), [clusters, t, format])
  const onScale = useCallback(
    (pixelsPerDegree: number) =>
      setScale(before => {
        const next = scaleOf(pixelsPerDegree)
        return next.zoom === before.zoom && next.joinDegrees === before.joinDegrees ? before : next
      }),
    [],
  )
  if (isError && !data) return <ErrorPanel error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton className={styles.mapWait} aria-busy />
  return (
    <>
      {isTable ? (
        <PlainTable
          label={t('dashboard:map.title')}
          columns={placeColumns(t, format)}
          rows={clusters.toSorted(
            (a, b) =>
              b.linklost - a.linklost ||
              b.linkdown - a.linkdown ||
              b.devices - a.devices ||
              format.compareNames(nameOf(t, format, a), nameOf(t, format, b)),
          )}
          rowKey={({ place, device }) => `${place} ${device?.uid ?? ''}`}
        />
      ) : (
        <Suspense fallback={<Skeleton className={styles.mapWait} aria-busy />}>
          <WorldMap
            label={t('dashboard:map.label', { count: clusters.length })}
            bubbles={bubbles}
            onPick={({ id }) => void navigate(id)}
            onScale={onScale}
          />
        </Suspense>
      )}
      <ul className={styles.mapKeys} aria-label={t('dashboard:map.key')}>
        {states.map(state => (
          <li key={state}>
            <ConnectivityBadge state={state} />
          </li>
        ))}
      </ul>
      {data.notOnMap.devices > 0 && <NotOnMap missing={data.notOnMap} />}
    </>
  )
}

/** The list of the cluster's devices, or the one device's card. */
const addressOf = ({ device, place }: MapCluster) =>
  device ? paths.device(device.uid) : `${paths.devices}?place=${encodeURIComponent(place)}`

function nameOf(t: Translate, format: Format, { device, country, ...at }: MapCluster): string {
  if (device) return device.name
  if (country) return format.country(country)
  const degrees = (value: number) => format.number(value, 1)
  return t('dashboard:map.around', { latitude: degrees(at.latitude), longitude: degrees(at.longitude) })
}

function toBubble(t: Translate, format: Format, cluster: MapCluster): MapBubble {
  const { online, linkdown, linklost, neverup } = cluster
  const offline = linkdown + linklost
  return {
    id: addressOf(cluster),
    longitude: cluster.longitude,
    latitude: cluster.latitude,
    name: nameOf(t, format, cluster),
    lines: states
      .filter(state => cluster[state] > 0)
      .map(state =>
        t('labeled', { label: t(`activity:connectivity.${state}`), value: format.number(cluster[state]) }),
      ),
    counts: { good: online, down: offline, none: neverup },
    total: format.compact(cluster.devices),
    down: offline > 0 ? format.compact(offline) : null,
  }
}

function placeColumns(t: Translate, format: Format): ListColumn<MapCluster>[] {
  return [
    {
      id: 'place',
      header: t('dashboard:map.place'),
      cell: cluster => (
        <Anchor component={Link} to={addressOf(cluster)} size="sm">
          <bdi>{nameOf(t, format, cluster)}</bdi>
        </Anchor>
      ),
    },
    {
      id: 'devices',
      header: t('dashboard:cards.devices'),
      isNumber: true,
      cell: ({ devices }) => format.number(devices),
    },
    ...states.map(state => ({
      id: state,
      header: t(`activity:connectivity.${state}`),
      isNumber: true,
      cell: (cluster: MapCluster) => format.number(cluster[state]),
    })),
  ]
}

/** The devices without a place, and how they get one. */
function NotOnMap({ missing }: { missing: MapAnswer['notOnMap'] }) {
  const { t } = useTranslate()
  const format = useFormat()
  const more = missing.devices - missing.first.length
  return (
    <div className={styles.notOnMap}>
      <Group justify="space-between" gap="xs">
        <Text fw={600}>{t('dashboard:map.notOnMap', { count: missing.devices })}</Text>
        <Anchor component={Link} to={`${paths.devices}?place=${missing.place}`} size="sm">
          {t('dashboard:map.showAll')}
        </Anchor>
      </Group>
      <Text c="dimmed" size="sm">
        {t('dashboard:map.mend')}
      </Text>
      <ul className={styles.names}>
        {missing.first.map(({ uid, name }) => (
          <li key={uid}>
            <Anchor component={Link} to={paths.device(uid)} size="sm">
              <bdi>{name}</bdi>
            </Anchor>
          </li>
        ))}
        {more > 0 && <li>{t('dashboard:map.more', { count: more, shown: format.number(more) })}</li>}
      </ul>
    </div>
  )
}
