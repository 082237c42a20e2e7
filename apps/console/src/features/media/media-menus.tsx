import { csvSeparatorOf } from '@floorcast/contract/csv.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { exportCredits } from '@floorcast/contract/media-credit-calls.ts'
import { isAd, type listMedia, type MediaType } from '@floorcast/contract/media.ts'
import { Button } from '@mantine/core'
import { IconChevronDown, IconDownload, IconFileImport, IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { downloadRead } from '../../platform/download.ts'
import { useTranslate, currentLanguage } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { useMayChange } from '../../platform/session.ts'
import { useHasOneMenu } from '../../ui/data-table/narrow.ts'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { Menu } from '../../ui/overlay/overlays.tsx'
import { CreditsImport, DeleteMedia } from './media-dialogs.ts'

interface MediaMenusProps {
  contentType: MediaType
  /** The list's query: the file of credits has what the list shows. */
  query: QueryOf<typeof listMedia>
}

/**
 * The menus of a media list: its credits as a csv file and back, and the deletion of what nothing uses; one in a narrow window,
 * and for ads, which rarely have credits.
 */
export function MediaMenus({ contentType, query }: MediaMenusProps) {
  const { t } = useTranslate()
  const mayChange = useMayChange()
  const isNarrow = useHasOneMenu()
  const hasOneMenu = isAd(contentType) || (isNarrow && mayChange)
  const [asked, setAsked] = useState<'import' | 'delete' | null>(null)
  const close = () => setAsked(null)
  const credits = <CreditsItems {...{ contentType, query }} onImport={() => setAsked('import')} />
  return (
    <>
      {(mayChange || hasOneMenu) && (
        <MoreMenu
          label={t('moreActions')}
          deleteLabel={t('bulk:media.unused')}
          onDelete={mayChange ? () => setAsked('delete') : null}
        >
          {hasOneMenu && (
            <>
              <Menu.Label>{t('media:credits.menu')}</Menu.Label>
              {credits}
              {mayChange && <Menu.Divider />}
            </>
          )}
        </MoreMenu>
      )}
      {!hasOneMenu && (
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
          <Menu.Dropdown>{credits}</Menu.Dropdown>
        </Menu>
      )}
      {asked === 'import' && <CreditsImport contentType={contentType} onClose={close} />}
      {asked === 'delete' && (
        <DeleteMedia
          selection="unused"
          item={null}
          contentType={contentType}
          onClose={close}
          onDone={() => undefined}
        />
      )}
    </>
  )
}

function CreditsItems({ contentType, query, onImport }: MediaMenusProps & { onImport: () => void }) {
  const { t } = useTranslate()
  const mayChange = useMayChange()
  return (
    <>
      <Menu.Item
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => void downloadCredits(contentType, query).catch(toastFailure)}
      >
        {t('media:credits.export')}
      </Menu.Item>
      {mayChange && (
        <Menu.Item leftSection={<IconFileImport size={16} aria-hidden />} onClick={onImport}>
          {t('media:credits.import')}
        </Menu.Item>
      )}
    </>
  )
}

/** Saves the credits of what a list shows as csv. @throws CallError */
const downloadCredits = (contentType: MediaType, { search, used, isrc }: QueryOf<typeof listMedia>) =>
  downloadRead(
    exportCredits,
    {
      params: { contentType },
      query: { search, used, isrc, separator: csvSeparatorOf(currentLanguage().code) },
    },
    `credits-${contentType}.csv`,
  )
