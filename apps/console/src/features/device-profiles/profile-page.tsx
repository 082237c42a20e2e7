import type { ProfileCard } from '@floorcast/contract/device-profiles.ts'
import { Button, Skeleton, Text } from '@mantine/core'
import { IconPencilPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { describeOutcome, toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { toast } from '../../platform/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { DetailPage } from '../../ui/detail/detail-page.tsx'
import { EditButton } from '../../ui/detail/item-actions.tsx'
import { ItemFields } from '../../ui/detail/item-fields.tsx'
import { DuplicateItem } from '../../ui/duplicate/duplicate-action.tsx'
import { EntityLink } from '../../ui/entity-link.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ProfileStateBadge, profileFields } from './profile-columns.tsx'
import { DuplicateProfile, ProfileForm, ProfileGroupsForm } from './profile-dialogs.ts'
import {
  profileQuery,
  profileTypesQuery,
  soundQuery,
  useChangeProfileState,
  useDeleteProfile,
  useRenameProfile,
} from './profiles-data.ts'
import { readSettings, type Setting } from './setting-schema.ts'
import { describeValue, nameSetting } from './setting-words.ts'

/** One configuration profile: its settings, and the groups it applies to. */
export function ProfilePage() {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const { uid = '' } = useParams()
  const result = useQuery(profileQuery(uid))
  const rename = useRenameProfile()
  const [open, setOpen] = useState<'edit' | 'groups' | 'copy' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const { mutateAsync: remove } = useDeleteProfile()
  return (
    <DetailPage<ProfileCard>
      result={result}
      name={profile => profile.name}
      rename={rename}
      status={profile => <ProfileStateBadge state={profile.state} />}
      actions={profile =>
        profile.permissions.mayEdit && (
          <>
            {profile.state === 'paused' && <EditButton label={t('edit')} onClick={() => setOpen('edit')} />}
            <StateButton profile={profile} />
            <MoreMenu
              label={t('moreActions')}
              deleteLabel={t('delete')}
              onDelete={profile.state === 'paused' ? () => setOpen('delete') : null}
            >
              <DuplicateItem t={t} onClick={() => setOpen('copy')} />
            </MoreMenu>
          </>
        )
      }
    >
      {profile => (
        <>
          <ProfileFacts profile={profile} />
          <SettingsPanel profile={profile} />
          <GroupsPanel profile={profile} choose={() => setOpen('groups')} />
          {open === 'edit' && <ProfileForm item={profile} onClose={close} />}
          {open === 'groups' && <ProfileGroupsForm profile={profile} onClose={close} />}
          {open === 'copy' && <DuplicateProfile profile={profile} onClose={close} />}
          {open === 'delete' && (
            <ConfirmDialog
              isOpen
              isDanger
              title={t('profiles:delete.title', { name: profile.name })}
              confirmLabel={t('delete')}
              onConfirm={async () => {
                await remove({ uid: profile.uid })
                void toast('success', t('profiles:delete.done', { name: profile.name }))
                void navigate(paths.configurationProfiles)
              }}
              onClose={close}
            >
              {t('profiles:delete.text')}
            </ConfirmDialog>
          )}
        </>
      )}
    </DetailPage>
  )
}

/** Activates or pauses a profile; an activation says over which others it wins. */
function StateButton({ profile: { uid, state } }: { profile: ProfileCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { mutate, isPending } = useChangeProfileState()
  const isActive = state === 'active'
  const toggle = () =>
    mutate(
      { uid, from: state },
      {
        onSuccess: outcome => {
          const others = (outcome.overrules ?? []).map(({ name }) => name)
          void toast(
            'success',
            others.length > 0
              ? t('profiles:overrules', { names: format.list(others) })
              : describeOutcome(t, outcome, 'group'),
          )
        },
        onError: error => toastFailure(error, 'group'),
      },
    )
  const Sign = isActive ? IconPencilPause : IconPlayerPlay
  return (
    <Button
      variant={isActive ? 'default' : 'filled'}
      loading={isPending}
      onClick={toggle}
      leftSection={<Sign size={16} aria-hidden />}
    >
      {t(isActive ? 'states.pause' : 'states.activate')}
    </Button>
  )
}

function ProfileFacts({ profile }: { profile: ProfileCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Panel>
      <ItemFields fields={profileFields(t, format)} card={profile} />
    </Panel>
  )
}

/** The settings as they are now, and as devices use them: those of the last activation. */
function SettingsPanel({ profile }: { profile: ProfileCard }) {
  const { t } = useTranslate()
  const result = useQuery(profileTypesQuery())
  const schema = result.data?.find(({ type }) => type === profile.type)?.schema
  const { settings, activeSettings } = profile
  const valueOf = (from: Record<string, unknown>) => (setting: Setting) => (
    <SettingValue setting={setting} value={from[setting.name]} />
  )
  return (
    <Panel title={t('profiles:settingsTitle')}>
      {activeSettings === null && (
        <Text c="dimmed" size="sm" mb="sm">
          {t('profiles:neverActivated')}
        </Text>
      )}
      {result.isPending && <Skeleton height={60} aria-busy />}
      {result.isError && !result.data && (
        <ErrorPanel error={result.error} retry={() => void result.refetch()} />
      )}
      {schema && (
        <PlainTable
          label={t('profiles:settingsTitle')}
          columns={[
            { id: 'name', header: t('profiles:setting'), cell: ({ name }: Setting) => nameSetting(t, name) },
            { id: 'value', header: t('profiles:value'), cell: valueOf(settings) },
            ...(activeSettings === null
              ? []
              : [{ id: 'inForce', header: t('profiles:inForce'), cell: valueOf(activeSettings) }]),
          ]}
          rows={readSettings(schema)}
          rowKey={({ name }) => name}
        />
      )}
    </Panel>
  )
}

function SettingValue({ setting, value }: { setting: Setting; value: unknown }) {
  const { t } = useTranslate()
  const format = useFormat()
  if (setting.input.kind === 'sound') return <SoundName uid={typeof value === 'string' ? value : null} />
  return <bdi>{describeValue(t, format, { name: setting.name, value })}</bdi>
}

function SoundName({ uid }: { uid: string | null }) {
  const { t } = useTranslate()
  const { data, isPending, isError } = useQuery({ ...soundQuery(uid ?? ''), enabled: uid !== null })
  if (uid === null) return t('profiles:siren')
  if (data) return <EntityLink entity={data} to={sound => paths.mediaItem(data.contentType, sound)} />
  if (isError) return t('failedTitle')
  return isPending ? '…' : t('profiles:soundGone')
}

function GroupsPanel({ profile, choose }: { profile: ProfileCard; choose: () => void }) {
  const { t } = useTranslate()
  return (
    <Panel
      title={t('profiles:groups')}
      end={
        profile.permissions.mayEdit && (
          <Button variant="default" onClick={choose}>
            {t('profiles:chooseGroups')}
          </Button>
        )
      }
    >
      {profile.groups.length === 0 ? (
        <Text c="dimmed">{t('profiles:noGroupsText')}</Text>
      ) : (
        <PlainTable
          label={t('profiles:groups')}
          columns={[
            {
              id: 'name',
              header: t('name'),
              cell: group => <EntityLink entity={group} to={paths.group} />,
            },
          ]}
          rows={profile.groups}
          rowKey={({ uid }) => uid}
        />
      )}
    </Panel>
  )
}
