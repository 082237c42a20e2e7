import type { UpdateDevice } from '@floorcast/contract/updates.ts'
import type { Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { ActivityBadge } from '../../ui/activity-badge.tsx'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { EntityLink } from '../../ui/entity-link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StepBadge } from './update-badges.tsx'
import { nameOfPackage } from './update-requests.ts'

const failures = ['refused', 'failed', 'returned'] as const
const stepOf = (step: string | null) => failures.find(known => known === step) ?? 'failed'

/** The update that a device runs, is offered and has reported; ids are the server's names for sorting. */
export function deviceColumns(t: Translate): ListColumn<UpdateDevice>[] {
  return [
    { id: 'name', header: t('name'), isSortable: true, cell: device => device.name },
    {
      id: 'group',
      header: t('updates:fields.group'),
      isSortable: true,
      isMinor: true,
      cell: ({ group }) => group && <EntityLink entity={group} to={paths.group} />,
    },
    {
      id: 'connectivity',
      header: t('activity:state'),
      isMinor: true,
      cell: device => <ActivityBadge device={device} />,
    },
    {
      id: 'heldVersion',
      header: t('updates:fields.runs'),
      isSortable: true,
      cell: ({ heldVersion }) => heldVersion && <bdi>{heldVersion}</bdi>,
    },
    {
      id: 'offered',
      header: t('updates:fields.isOffered'),
      cell: ({ offered }) =>
        offered && (
          <bdi title={t('updates:offeredBy', { channel: offered.channelName })}>
            {offered.isForced
              ? t('updates:forcedPackage', { name: nameOfPackage(offered) })
              : nameOfPackage(offered)}
          </bdi>
        ),
    },
    {
      id: 'step',
      header: t('updates:fields.step'),
      isSortable: true,
      cell: ({ step }) => step && <StepBadge step={step} />,
    },
    {
      id: 'stepVersion',
      header: t('updates:fields.stepVersion'),
      isHiddenAtFirst: true,
      cell: ({ stepVersion }) => stepVersion && <bdi>{stepVersion}</bdi>,
    },
    {
      id: 'stepAt',
      header: t('updates:fields.stepAt'),
      isSortable: true,
      cell: ({ stepAt }) => stepAt && <RelativeTime instant={stepAt} />,
    },
    {
      id: 'error',
      header: t('updates:fields.error'),
      isProse: true,
      // Without a message of the device, the step says what happened.
      cell: ({ error, step }) =>
        error && (error === step ? t(`updates:why.${stepOf(step)}`) : <bdi>{error}</bdi>),
    },
  ]
}
