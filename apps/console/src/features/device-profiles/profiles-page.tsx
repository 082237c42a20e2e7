import { ProfileType, type ProfileRow } from '@floorcast/contract/device-profiles.ts'
import { EditState } from '@floorcast/contract/groups.ts'
import { Button } from '@mantine/core'
import { IconAdjustments, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { ListFilter } from '../../ui/data-table/list-column.ts'
import { useList } from '../../ui/data-table/use-list.ts'
import { listColumns } from '../../ui/detail/item-fields.tsx'
import { duplicateRow } from '../../ui/duplicate/duplicate-action.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { profileFields } from './profile-columns.tsx'
import { DuplicateProfile, ProfileForm } from './profile-dialogs.ts'
import { profilesQuery, useRenameProfile } from './profiles-data.ts'

const defaults = { filters: ['type', 'state'], sort: 'name' } as const

/** The list of configuration profiles: /security/profile. */
export function ProfilesPage() {
  const { t } = useTranslate()
  const format = useFormat()
  const navigate = useNavigate()
  const list = useList(defaults)
  const result = useQuery({ ...profilesQuery(list.query), enabled: list.isReady })
  const [isAdding, setIsAdding] = useState(false)
  const rename = useRenameProfile()
  const columns = useMemo(() => listColumns(profileFields(t, format)), [t, format])
  const mayChange = useMayChange()
  const [copied, setCopied] = useState<ProfileRow | null>(null)
  const addButton = mayChange && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
      {t('profiles:add')}
    </Button>
  )
  return (
    <>
      <DataTable
        name="profiles"
        label={t('routes:configurationProfiles')}
        list={list}
        result={result}
        columns={columns}
        rowName={row => row.name}
        rowHref={row => paths.configurationProfile(row.uid)}
        filters={profileFilters(t)}
        rename={rename}
        rowActions={mayChange ? [duplicateRow(t, setCopied)] : []}
        actions={addButton}
        empty={
          <EmptyState
            icon={IconAdjustments}
            title={t('profiles:empty.title')}
            text={t('profiles:empty.text')}
            action={addButton}
          />
        }
      />
      <ProfileForm
        isOpen={isAdding}
        onClose={() => setIsAdding(false)}
        onAdded={uid => void navigate(paths.configurationProfile(uid))}
      />
      {copied && <DuplicateProfile profile={copied} onClose={() => setCopied(null)} />}
    </>
  )
}

const profileFilters = (t: Translate): ListFilter[] => [
  {
    name: 'type',
    label: t('profiles:type'),
    options: ProfileType.options.map(value => ({ value, label: t(`profiles:types.${value}`) })),
  },
  {
    name: 'state',
    label: t('profiles:state'),
    options: EditState.options.map(value => ({ value, label: t(`states.profile.${value}`) })),
  },
]
