import { Button } from '@mantine/core'
import { IconCheck, IconLanguage } from '@tabler/icons-react'
import { useLanguage, useTranslate } from '../platform/i18n.ts'
import { changeLanguage } from '../platform/change-language.ts'
import { Menu } from '../ui/overlay/overlays.tsx'

/** All languages that have a catalogue, each by its own name. */
export function LanguageMenu() {
  const { t } = useTranslate()
  const { language, available } = useLanguage()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconLanguage size={20} aria-hidden />}
          aria-label={t('languageIs', { name: language.name })}
        >
          <span lang={language.tag} className="fc-wide">
            {language.name}
          </span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {available.map(({ code, tag, name }) => (
          <Menu.Item
            key={code}
            lang={tag}
            onClick={() => void changeLanguage(code)}
            aria-current={code === language.code}
            rightSection={code === language.code ? <IconCheck size={16} aria-hidden /> : null}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
