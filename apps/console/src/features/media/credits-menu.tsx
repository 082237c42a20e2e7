import type { MediaType } from '@floorcast/contract/media.ts'
import { Button } from '@mantine/core'
import { IconChevronDown, IconDownload, IconFileImport, IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { useMayChange } from '../../platform/session.ts'
import { Menu } from '../../ui/overlay/overlays.tsx'
import { downloadCredits, type MediaListQuery } from './media-data.ts'
import { CreditsImport } from './media-dialogs.ts'

interface CreditsMenuProps {
  contentType: MediaType
  /** The list's query: the file has what the list shows. */
  query: MediaListQuery
}

/** The credits of a media list as a csv file, and back. */
export function CreditsMenu({ contentType, query }: CreditsMenuProps) {
  const { t } = useTranslate()
  const mayChange = useMayChange()
  const [isImporting, setIsImporting] = useState(false)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconFileText size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {t('media:credits.menu')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void downloadCredits(contentType, query).catch(toastFailure)}
          >
            {t('media:credits.export')}
          </Menu.Item>
          {mayChange && (
            <Menu.Item
              leftSection={<IconFileImport size={16} aria-hidden />}
              onClick={() => setIsImporting(true)}
            >
              {t('media:credits.import')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isImporting && <CreditsImport contentType={contentType} onClose={() => setIsImporting(false)} />}
    </>
  )
}
