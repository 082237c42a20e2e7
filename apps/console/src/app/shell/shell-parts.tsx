import { Anchor, Button, Drawer, Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core'
import { IconBook, IconMail, IconMessage, IconRobot, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsoleSettings } from '../../platform/console-settings.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useManualAddress } from '../../platform/manual-address.ts'
import { useMatches } from '../../platform/media-query.ts'
import { personalize, usePersonalization } from '../../platform/personalization.ts'
import { hasUnsaved, reloadAnyway } from '../../platform/unsaved.ts'
import { useIsMounted } from '../../platform/use-is-mounted.ts'
import { UnsavedDialog } from '../../ui/side-form/unsaved-dialog.tsx'
import { colors } from '../../ui/theme/colors.ts'
import { accents } from '../../ui/theme/theme.ts'
import styles from './settings-panel.module.css'
import { Sidebar } from './sidebar.tsx'
import barStyles from './version-bar.module.css'

const modes = ['auto', 'light', 'dark'] as const

/** Menu color, dark and light, minimized sidebar, documentation, support contacts (docs/specification.md#2-screens-and-routes). */
export function SettingsPanel({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslate()
  const { mode, menuType } = usePersonalization()
  const isNarrow = useMatches('(max-width: 480px)')
  const isMounted = useIsMounted()
  return (
    <Drawer
      opened={isMounted && isOpen}
      onClose={onClose}
      position="right"
      size={320}
      title={t('shell:settings.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="lg">
        <AccentChoice />
        <div>
          <Text fw={500} size="sm" mb="xs" id="settings-mode">
            {t('shell:settings.mode')}
          </Text>
          <SegmentedControl
            fullWidth
            aria-labelledby="settings-mode"
            value={mode}
            onChange={chosen => personalize({ mode: chosen })}
            data={modes.map(value => ({ value, label: t(`shell:settings.modes.${value}`) }))}
          />
        </div>
        {!isNarrow && (
          <Stack gap="xs">
            <Switch
              label={t('shell:settings.minimize')}
              checked={menuType === 'minimized'}
              onChange={event =>
                personalize({ menuType: event.currentTarget.checked ? 'minimized' : 'full' })
              }
            />
            <Switch
              label={t('shell:settings.hide')}
              checked={menuType === 'hidden'}
              onChange={event => personalize({ menuType: event.currentTarget.checked ? 'hidden' : 'full' })}
            />
          </Stack>
        )}
        <Help />
      </Stack>
    </Drawer>
  )
}

/** The colors as swatches, and the name of the chosen one. */
function AccentChoice() {
  const { t } = useTranslate()
  const { color } = usePersonalization()
  return (
    <div role="radiogroup" aria-labelledby="settings-color">
      <Text fw={500} size="sm" mb="xs" id="settings-color">
        {t('shell:settings.color')}
      </Text>
      <Group gap="xs">
        {accents.map(accent => (
          <label key={accent} className={styles.accent} title={t(`shell:settings.colors.${accent}`)}>
            <input
              type="radio"
              name="settings-color"
              className="fc-unseen"
              aria-label={t(`shell:settings.colors.${accent}`)}
              checked={accent === color}
              onChange={() => personalize({ color: accent })}
            />
            <span className={styles.swatch} style={{ background: colors[accent][6] }} />
          </label>
        ))}
        <Text size="sm" c="dimmed" aria-hidden>
          {t(`shell:settings.colors.${color}`)}
        </Text>
      </Group>
    </div>
  )
}

/** Documentation in the chosen language, and the support contacts of docs/specification.md#2-screens-and-routes. */
function Help() {
  const { t } = useTranslate()
  const settings = useConsoleSettings()
  const manual = useManualAddress()
  return (
    <Stack gap="xs" align="flex-start">
      <Text fw={500} size="sm">
        {t('shell:settings.help')}
      </Text>
      <ContactLink icon={<IconBook size={16} aria-hidden />} href={manual}>
        {t('shell:settings.documentation')}
      </ContactLink>
      {settings?.supportEmail && (
        <ContactLink icon={<IconMail size={16} aria-hidden />} href={`mailto:${settings.supportEmail}`}>
          {settings.supportEmail}
        </ContactLink>
      )}
      {settings?.supportBot && (
        <ContactLink icon={<IconRobot size={16} aria-hidden />} href={settings.supportBot}>
          {t('shell:settings.bot')}
        </ContactLink>
      )}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconMessage size={16} aria-hidden />}
        disabled
      >
        {t('shell:settings.messaging')}
      </Button>
    </Stack>
  )
}

function ContactLink(props: { icon: React.ReactNode; href: string; children: string }) {
  return (
    <Group gap="xs">
      {props.icon}
      <Anchor href={props.href} target="_blank" rel="noreferrer" size="sm">
        {props.children}
      </Anchor>
    </Group>
  )
}

/** The menu of a narrow window, over the page. */
export function MobileMenu({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslate()
  const isMounted = useIsMounted()
  return (
    <Drawer.Root opened={isMounted && isOpen} onClose={onClose} size={264}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={t('shell:menu')}>
        <Sidebar isSmall={false} onNavigate={onClose} />
      </Drawer.Content>
    </Drawer.Root>
  )
}

/** Says that the server has a newer console, which comes when the user reloads, and only then. */
export function VersionBar({ onLater }: { onLater: () => void }) {
  const { t } = useTranslate()
  const [isAsking, setIsAsking] = useState(false)
  const reload = () => (hasUnsaved() ? setIsAsking(true) : location.reload())
  return (
    <div className={barStyles.bar} role="status">
      <IconRefresh size={20} aria-hidden className={barStyles.icon} />
      <Text size="sm" className={barStyles.text}>
        {t('shell:newVersion.text')}
      </Text>
      <div className={barStyles.buttons}>
        <Button size="xs" variant="default" onClick={reload}>
          {t('shell:newVersion.reload')}
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={onLater}>
          {t('shell:newVersion.later')}
        </Button>
      </div>
      {isAsking && <UnsavedDialog onDiscard={reloadAnyway} onStay={() => setIsAsking(false)} />}
    </div>
  )
}
