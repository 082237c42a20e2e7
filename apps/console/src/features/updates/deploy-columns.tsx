import type { DeployRow } from '@floorcast/contract/deploy-packages.ts'
import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ChannelBadge, DeployBadge, PackageBadge } from './update-badges.tsx'
import { nameOfPackage } from './update-requests.ts'

/** The columns of packages on channels; ids are what the server sorts by. */
export function deployColumns(
  { t, format }: { t: Translate; format: Format },
  isOfPackage: boolean,
): ListColumn<DeployRow>[] {
  const packageColumns: ListColumn<DeployRow>[] = [
    {
      id: 'package',
      header: t('updates:fields.package'),
      isSortable: true,
      cell: row => (
        <Anchor component={Link} to={paths.package(row.package.uid)} inherit>
          <bdi>{nameOfPackage(row.package)}</bdi>
        </Anchor>
      ),
    },
    {
      id: 'packageState',
      header: t('updates:fields.packageState'),
      isHiddenAtFirst: true,
      cell: row => <PackageBadge state={row.package.state} />,
    },
  ]
  return [
    ...(isOfPackage ? [] : packageColumns),
    {
      id: 'channel',
      header: t('updates:fields.channel'),
      isSortable: true,
      cell: ({ channel }) => <ChannelName {...channel} />,
    },
    {
      id: 'state',
      header: t('updates:fields.state'),
      isSortable: true,
      cell: row => <DeployBadge state={row.state} />,
    },
    {
      id: 'isOffered',
      header: t('updates:fields.offered'),
      cell: row => <Offered row={row} />,
    },
    {
      id: 'held',
      header: t('updates:fields.held'),
      cell: ({ heldCount, deviceCount }) =>
        t('updates:held', { held: format.number(heldCount), count: deviceCount }),
    },
    {
      id: 'changedAt',
      header: t('updates:fields.changed'),
      isSortable: true,
      isMinor: true,
      cell: row => <RelativeTime instant={row.changedAt} />,
    },
    {
      id: 'description',
      header: t('description'),
      isProse: true,
      isHiddenAtFirst: true,
      cell: row => row.description,
    },
  ]
}

/** A frozen channel says so: it offers nothing, whatever its packages' states. */
function ChannelName({ name, state }: DeployRow['channel']) {
  return (
    <>
      <bdi>{name}</bdi> {state === 'frozen' && <ChannelBadge state={state} />}
    </>
  )
}

/** Why devices are not offered a package. */
function whyNotOffered(row: DeployRow): 'paused' | 'unreleased' | 'frozen' | 'unsigned' {
  if (row.state === 'paused') return 'paused'
  if (row.package.state !== 'released') return 'unreleased'
  return row.channel.state === 'frozen' ? 'frozen' : 'unsigned'
}

/** Whether devices are offered the package; else what is missing. */
function Offered({ row }: { row: DeployRow }) {
  const { t } = useTranslate()
  if (row.isOffered) return t('updates:offered.yes')
  return (
    <Text span inherit c="dimmed">
      {t(`updates:offered.${whyNotOffered(row)}`)}
    </Text>
  )
}
