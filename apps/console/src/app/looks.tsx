import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core'
import { useEffect, useMemo, type ReactNode } from 'react'
import { useLanguage } from '../platform/i18n.ts'
import { useMatches } from '../platform/media-query.ts'
import { usePersonalization } from '../platform/personalization.ts'
import { useStore } from '../platform/store.ts'
import { toasterStore } from '../platform/toasts.ts'
import { canvas } from '../ui/theme/colors.ts'
import { makeTheme, resolveVariables } from '../ui/theme/theme.ts'

/** Draws its children with the chosen accent, color scheme and writing direction, and the toasts over them. */
export function Looks({ children }: { children: ReactNode }) {
  const { language } = useLanguage()
  return (
    <DirectionProvider initialDirection={language.dir} detectDirection={false}>
      <Themed>{children}</Themed>
    </DirectionProvider>
  )
}

function Themed({ children }: { children: ReactNode }) {
  const { color, mode } = usePersonalization()
  const { language } = useLanguage()
  const { setDirection } = useDirection()
  const toaster = useStore(toasterStore)
  const isSystemDark = useMatches('(prefers-color-scheme: dark)')
  const theme = useMemo(() => makeTheme(color), [color])
  useEffect(() => setDirection(language.dir), [language, setDirection])
  const scheme = mode === 'auto' ? (isSystemDark ? 'dark' : 'light') : mode
  useEffect(() => {
    // The title bar of the installed console.
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.setAttribute('content', canvas[scheme])
  }, [scheme])
  return (
    <MantineProvider theme={theme} forceColorScheme={scheme} cssVariablesResolver={resolveVariables}>
      {children}
      {toaster}
    </MantineProvider>
  )
}
