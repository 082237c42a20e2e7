import { endSession } from '@floorcast/contract/auth.ts'
import { ActionIcon, Text } from '@mantine/core'
import {
  IconDownload,
  IconLock,
  IconLogout,
  IconSearch,
  IconSettings,
  IconUser,
  IconUserCircle,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { install, installPrompt } from '../../platform/install-prompt.ts'
import { paths } from '../../platform/paths.ts'
import { namePerson } from '../../platform/person-name.ts'
import { prepareSignOut, removeBrowserData } from '../../platform/browser-data.ts'
import { dropSession, dropToken, sessionStore, useSignedInUser } from '../../platform/session.ts'
import { useStore } from '../../platform/store.ts'
import { Menu } from '../../ui/overlay/overlays.tsx'

/**
 * Ends the session in the tabs of this browser first, and then on the server: a tab that still asked would be told that its session
 * has ended. Without an answer the token expires after 12 idle hours.
 */
async function endBrowserSession(drop: () => void): Promise<void> {
  const headers = { authorization: `Bearer ${sessionStore.get().token}` }
  drop()
  await call(endSession, { headers }).catch(() => undefined)
}

/** Lock revokes and clears the token; the user record stays (docs/specification.md#4-states-and-transitions). */
const lockScreen = () => endBrowserSession(dropToken)

/** Logout removes the user and the token (docs/specification.md#4-states-and-transitions). */
async function logOut(): Promise<void> {
  await prepareSignOut()
  await Promise.all([endBrowserSession(dropSession), removeBrowserData()])
}

/** The user's name leads to the profile; profile, settings, search, lock screen, log out (docs/specification.md#2-screens-and-routes). */
export function UserMenu({
  openSettings,
  openPalette,
}: {
  openSettings: () => void
  openPalette: () => void
}) {
  const { t } = useTranslate()
  const user = useSignedInUser()
  const prompt = useStore(installPrompt)
  const name = namePerson(user) || user.username
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon aria-label={t('shell:userMenu', { name })}>
          <IconUserCircle size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={paths.profile}>
          <Text fw={600} truncate>
            {name}
          </Text>
          <Text size="xs" c="dimmed" truncate dir="auto">
            {user.email}
          </Text>
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item component={Link} to={paths.profile} leftSection={<IconUser size={16} aria-hidden />}>
          {t('routes:profile')}
        </Menu.Item>
        <Menu.Item leftSection={<IconSettings size={16} aria-hidden />} onClick={openSettings}>
          {t('shell:settings.title')}
        </Menu.Item>
        <Menu.Item leftSection={<IconSearch size={16} aria-hidden />} onClick={openPalette}>
          {t('search')}
        </Menu.Item>
        {prompt && (
          <Menu.Item
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void install(prompt)}
          >
            {t('shell:install')}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLock size={16} aria-hidden />} onClick={() => void lockScreen()}>
          {t('shell:lockScreen')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void logOut()}>
          {t('shell:logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
