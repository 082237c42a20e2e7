import { createTheme, type CSSVariablesResolver, type MantineThemeOverride } from '@mantine/core'
import { canvas, palette } from './palette.ts'

/** The accents of the settings panel (docs/specification.md#1-what-the-product-does-and-for-whom); `info` is the default. */
export const accents = ['orange', 'citrus', 'green', 'blue', 'primary', 'info'] as const
export type Accent = (typeof accents)[number]

const sans = "'Inter Variable', 'Noto Sans Arabic', system-ui, 'Segoe UI', 'Noto Sans', sans-serif"
const heading = (fontSize: string, lineHeight: string) => ({ fontSize, lineHeight, fontWeight: '600' })

/** The theme in one accent. Sizes sit on an 8-pixel grid, text is 14 px, the one shadow is `sm`. */
export function makeTheme(accent: Accent): MantineThemeOverride {
  const shadow = '0 4px 16px rgb(8 16 28 / 14%)'
  return createTheme({
    colors: palette,
    primaryColor: accent,
    primaryShade: 6,
    black: palette.gray[9],
    fontFamily: sans,
    fontFamilyMonospace: "ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace",
    fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
    spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
    radius: { xs: '4px', sm: '6px', md: '8px', lg: '8px', xl: '16px' },
    defaultRadius: 'md',
    shadows: { xs: 'none', sm: shadow, md: shadow, lg: shadow, xl: shadow },
    headings: {
      fontFamily: sans,
      sizes: { h1: heading('20px', '28px'), h2: heading('16px', '24px'), h3: heading('14px', '20px') },
    },
    respectReducedMotion: true,
    cursorType: 'pointer',
    components: defaults,
  })
}

/** A dialog's header is no banner of the page, though Mantine draws it as `<header>`. */
const plainHeader = {
  attributes: { header: { role: 'presentation' } },
  styles: { title: { fontSize: 16, lineHeight: '24px', fontWeight: 600 } },
}

const defaults: NonNullable<MantineThemeOverride['components']> = {
  Button: { defaultProps: { size: 'sm' } },
  ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 32 } },
  TextInput: { defaultProps: { size: 'sm' } },
  PasswordInput: { defaultProps: { size: 'sm' } },
  Select: { defaultProps: { size: 'sm', checkIconPosition: 'right' } },
  Modal: { defaultProps: { ...plainHeader, transitionProps: { duration: 500 }, centered: true } },
  Drawer: { defaultProps: { ...plainHeader, transitionProps: { duration: 250 } } },
  Collapse: { defaultProps: { transitionDuration: 250 } },
  Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
  Menu: { defaultProps: { shadow: 'sm', withInitialFocusPlaceholder: false } },
  Popover: { defaultProps: { shadow: 'sm' } },
}

/** Variables that Mantine's own defaults leave below AA, and ours for panels and hairlines. */
export const resolveVariables: CSSVariablesResolver = theme => ({
  variables: {},
  light: {
    '--mantine-color-text': palette.gray[9],
    '--mantine-color-body': '#ffffff',
    '--mantine-color-anchor': theme.colors[theme.primaryColor]?.[7] ?? palette.info[7],
    '--mantine-color-dimmed': palette.gray[6],
    '--mantine-color-placeholder': palette.gray[6],
    '--mantine-color-error': palette.red[6],
    '--mantine-color-disabled-color': palette.gray[6],
    '--mantine-color-default-border': palette.gray[4],
    '--mantine-color-gray-light-color': palette.gray[7],
    '--fc-canvas': canvas.light,
    '--fc-panel': '#ffffff',
    '--fc-hairline': palette.gray[2],
    '--fc-hover': palette.gray[0],
    '--fc-chosen': 'var(--mantine-primary-color-0)',
    ...stateVariables('light'),
  },
  dark: {
    '--mantine-color-text': palette.dark[0],
    '--mantine-color-body': palette.dark[7],
    '--mantine-color-dimmed': palette.dark[2],
    '--mantine-color-placeholder': palette.dark[2],
    '--mantine-color-error': palette.red[4],
    '--mantine-color-disabled-color': palette.dark[2],
    '--mantine-color-default': palette.dark[6],
    '--mantine-color-default-hover': palette.dark[5],
    '--mantine-color-gray-light-color': palette.dark[1],
    ...darkTints(),
    '--fc-canvas': canvas.dark,
    '--fc-panel': palette.dark[7],
    '--fc-hairline': palette.dark[5],
    '--fc-hover': palette.dark[6],
    '--fc-chosen': 'var(--mantine-primary-color-light)',
    ...stateVariables('dark'),
  },
})

/** Colours of state: green playing, amber late, red down, grey never seen. */
function stateVariables(mode: 'light' | 'dark'): Record<string, string> {
  const shade = mode === 'light' ? 6 : 4
  return {
    '--fc-good': palette.green[shade],
    '--fc-late': palette.amber[shade],
    '--fc-down': palette.red[shade],
    '--fc-none': mode === 'light' ? palette.gray[6] : palette.dark[2],
  }
}

/** Tinted grounds in dark mode; Mantine's own are all but black. */
function darkTints(): Record<string, string> {
  const tints: Record<string, string> = {}
  for (const [name, shades] of Object.entries(palette)) {
    if (name === 'dark') continue
    tints[`--mantine-color-${name}-light`] = `color-mix(in srgb, ${shades[5]} 24%, ${palette.dark[7]})`
    tints[`--mantine-color-${name}-light-hover`] = `color-mix(in srgb, ${shades[5]} 32%, ${palette.dark[7]})`
  }
  return tints
}
