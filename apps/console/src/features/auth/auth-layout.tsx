import { Anchor, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useConsoleSettings } from '../../platform/console-settings.ts'
import { useManualAddress } from '../../platform/manual-address.ts'
import { useLanguage, useTranslate } from '../../platform/i18n.ts'
import { changeLanguage } from '../../platform/change-language.ts'
import { Mark } from '../../ui/brand.tsx'
import styles from './auth.module.css'

/** The language menu of pages without the sidebar: the browser's own list keeps the first load small. */
export function LanguageSelect() {
  const { t } = useTranslate()
  const { language, available } = useLanguage()
  return (
    <NativeSelect
      aria-label={t('language')}
      value={language.code}
      data={available.map(({ code, name }) => ({ value: code, label: name }))}
      onChange={event => {
        const chosen = available.find(({ code }) => code === event.currentTarget.value)
        if (chosen) void changeLanguage(chosen.code)
      }}
    />
  )
}

interface AuthLayoutProps {
  title: string
  /** The page has more than a form. */
  isWide?: boolean
  children: ReactNode
}

/** The frame of the pages without a sign-in: name, language, help. */
export function AuthLayout({ title, isWide = false, children }: AuthLayoutProps) {
  const { t } = useTranslate()
  const settings = useConsoleSettings()
  const manual = useManualAddress(useLocation().pathname)
  return (
    <div className={styles.frame}>
      <title>{`${title} · Floorcast`}</title>
      <header className={styles.top}>
        <Group gap="xs">
          <Mark />
          <Text fw={700} size="lg">
            Floorcast
          </Text>
        </Group>
        <LanguageSelect />
      </header>
      <main className={styles.main} data-wide={isWide || undefined}>
        <Stack gap="lg">
          <Title order={1} className={styles.title}>
            {title}
          </Title>
          {children}
        </Stack>
      </main>
      <footer className={styles.foot}>
        <Anchor href={manual} target="_blank" rel="noreferrer" size="sm">
          {t('auth:help')}
        </Anchor>
        {settings && (
          <Text size="sm" c="dimmed" dir="ltr">
            {[settings.version, settings.commit].filter(part => part !== null).join(' · ')}
          </Text>
        )}
      </footer>
    </div>
  )
}
