import { ProfileType, type ProfileRow } from '@floorcast/contract/device-profiles.ts'
import { EditState } from '@floorcast/contract/groups.ts'
import { IconAdjustments } from '@tabler/icons-react'
import type { Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { AddButton, itemListPage } from '../../ui/item-list/item-list-page.tsx'
import type { ListFilter } from '../../ui/data-table/list-column.ts'
import { listColumns } from '../../ui/detail/item-fields.tsx'
import { profileFields } from './profile-columns.tsx'
import { DuplicateProfile, ProfileForm } from './profile-dialogs.ts'
import { profilesQuery, useRenameProfile } from './profiles-data.ts'

/** The list of configuration profiles: /security/profile. */
export const ProfilesPage = itemListPage({
  name: 'profiles',
  label: t => t('routes:configurationProfiles'),
  icon: IconAdjustments,
  empty: t => ({ title: t('profiles:empty.title'), text: t('profiles:empty.text') }),
  defaults: { filters: ['type', 'state'], sort: 'name' },
  read: query => query,
  rows: profilesQuery,
  columns: (t, format) => listColumns(profileFields(t, format)),
  filters: profileFilters,
  pathOf: paths.configurationProfile,
  useRename: useRenameProfile,
  addButtons: (t, open) => <AddButton label={t('profiles:add')} onClick={() => open('add')} />,
  form: props => <ProfileForm {...props} />,
  copy: (profile: ProfileRow, onClose) => <DuplicateProfile profile={profile} onClose={onClose} />,
})

function profileFilters(t: Translate): ListFilter[] {
  return [
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
}
