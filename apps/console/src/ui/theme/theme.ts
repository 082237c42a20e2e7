import { createTheme, type CSSVariablesResolver, type MantineThemeOverride } from '@mantine/core'
import { canvas, colors } from './colors.ts'

/** The accents of the settings panel (docs/specification.md#1-what-the-product-does-and-for-whom); `info` is the default. */
export const accents = ['orange', 'citrus', 'green', 'blue', 'primary', 'info'] as const
export type Accent = (typeof accents)[number]

const sans = "'Inter Variable', 'Noto Sans Arabic', system-ui, 'Segoe UI', 'Noto Sans', sans-serif"
const heading = (fontSize: string, lineHeight: string) => ({ fontSize, lineHeight, fontWeight: '600' })

/** The theme in one accent. Sizes sit on an 8-pixel grid, text is 14 px, the one shadow is `sm`. */
export function makeTheme(accent: Accent): MantineThemeOverride {
  const shadow = '0 4px 16px rgb(8 16 28 / 14%)'
  return createTheme({
    colors: colors,
    primaryColor: accent,
    primaryShade: 6,
    black: colors.gray[9],
    fontFamily: sans,
    fontFamilyMonospace: "ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace",
    fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
    spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
    radius: { xs: '4px', sm: '6px', md: '8px', lg: '8px', xl: '16px' },
    defaultRadius: 'md',
    shadows: { xs: 'none', sm: shadow, md: shadow, lg: shadow, xl: shadow },
    headings: {
      fontFamily: sans,
      textWrap: 'balance',
      sizes: { h1: heading('20px', '28px'), h2: heading('16px', '24px'), h3: heading('14px', '20px') },
    },
    respectReducedMotion: true,
    cursorType: 'pointer',
    components: defaults,
  })
}

/** Mantine draws a dialog's header as `<header>`, which would be a banner of the page. */
const plainHeader = {
  attributes: { header: { role: 'presentation' } },
  styles: { title: { fontSize: 16, lineHeight: '24px', fontWeight: 600, textWrap: 'balance' } },
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
    '--mantine-color-text': colors.gray[9],
    '--mantine-color-body': '#ffffff',
    '--mantine-color-anchor': theme.colors[theme.primaryColor]?.[7] ?? colors.info[7],
    '--mantine-color-dimmed': colors.gray[6],
    '--mantine-color-placeholder': colors.gray[6],
    '--mantine-color-error': colors.red[6],
    '--mantine-color-disabled-color': colors.gray[6],
    '--mantine-color-default-border': colors.gray[4],
    '--mantine-color-gray-light-color': colors.gray[7],
    '--fc-canvas': canvas.light,
    '--fc-panel': '#ffffff',
    '--fc-hairline': colors.gray[2],
    '--fc-hover': colors.gray[0],
    '--fc-chosen': 'var(--mantine-primary-color-0)',
    ...stateVariables('light'),
  },
  dark: {
    '--mantine-color-text': colors.dark[0],
    '--mantine-color-body': colors.dark[7],
    '--mantine-color-dimmed': colors.dark[2],
    '--mantine-color-placeholder': colors.dark[2],
    '--mantine-color-error': colors.red[4],
    '--mantine-color-disabled-color': colors.dark[2],
    '--mantine-color-default': colors.dark[6],
    '--mantine-color-default-hover': colors.dark[5],
    '--mantine-color-gray-light-color': colors.dark[1],
    ...darkTints(),
    '--fc-canvas': canvas.dark,
    '--fc-panel': colors.dark[7],
    '--fc-hairline': colors.dark[5],
    '--fc-hover': colors.dark[6],
    '--fc-chosen': 'var(--mantine-primary-color-light)',
    ...stateVariables('dark'),
  },
})

/** Colors of states: green playing, amber late, red down, grey never seen. */
function stateVariables(mode: 'light' | 'dark'): Record<string, string> {
  const shade = mode === 'light' ? 6 : 4
  return {
    '--fc-good': colors.green[shade],
    '--fc-late': colors.amber[shade],
    '--fc-down': colors.red[shade],
    '--fc-none': mode === 'light' ? colors.gray[6] : colors.dark[2],
  }
}

/** Tinted grounds in dark mode; Mantine's own are all but black. */
function darkTints(): Record<string, string> {
  const tints: Record<string, string> = {}
  for (const [name, shades] of Object.entries(colors)) {
    if (name === 'dark') continue
    tints[`--mantine-color-${name}-light`] = `color-mix(in srgb, ${shades[5]} 24%, ${colors.dark[7]})`
    tints[`--mantine-color-${name}-light-hover`] = `color-mix(in srgb, ${shades[5]} 32%, ${colors.dark[7]})`
  }
  return tints
}
