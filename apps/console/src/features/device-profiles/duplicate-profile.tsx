import { listProfiles, readProfileCard, type ProfileRow } from '@floorcast/contract/device-profiles.ts'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { DuplicateDialog } from '../../ui/duplicate/duplicate-dialog.tsx'
import { useEditProfile } from './profiles-data.ts'

/** Adds a profile with the same settings, for no groups. */
export function DuplicateProfile({ profile, onClose }: { profile: ProfileRow; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync: send } = useEditProfile()
  const copy = async (name: string) => {
    const { type, description, settings } = await call(readProfileCard, { params: { id: profile.uid } })
    return send({ name, type, description, settings })
  }
  return (
    <DuplicateDialog
      noun="profile"
      name={profile.name}
      text={t('profiles:copyHas')}
      find={(query, signal) => call(listProfiles, { query, signal })}
      make={async name => (await copy(name)).uid ?? ''}
      to={paths.configurationProfile}
      onClose={onClose}
    />
  )
}
