import { Drawer } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'
import { useIsMounted } from '../../platform/use-is-mounted.ts'
import { Sidebar } from './sidebar.tsx'

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
