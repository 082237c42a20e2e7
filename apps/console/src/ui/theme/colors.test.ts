import { describe, expect, it } from 'vitest'
import { canvas, colors } from './colors.ts'

/** Relative luminance of a `#rrggbb` colour by WCAG 2.2. */
function luminance(colour: string): number {
  const channel = (from: number): number => {
    const value = Number.parseInt(colour.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

const coloured = ['orange', 'citrus', 'green', 'blue', 'primary', 'info', 'red', 'amber'] as const

describe.each(coloured)('%s', name => {
  const shades = colors[name]

  it('passes AA as a filled button, as text on the light canvas and as a link on its own tint', () => {
    expect(contrast('#ffffff', shades[6])).toBeGreaterThanOrEqual(4.5)
    expect(contrast(shades[6], canvas.light)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(shades[9], shades[1])).toBeGreaterThanOrEqual(7)
    expect(contrast(shades[7], shades[1])).toBeGreaterThanOrEqual(4.5)
  })

  it('is a ground for chosen rows on which every state is legible', () => {
    for (const state of ['green', 'amber', 'red', 'gray'] as const) {
      expect(contrast(colors[state][6], shades[0])).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('passes AA as text on both dark grounds', () => {
    expect(contrast(shades[4], canvas.dark)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(shades[4], colors.dark[6])).toBeGreaterThanOrEqual(4.5)
  })
})

it('keeps dimmed text legible on every ground', () => {
  expect(contrast(colors.gray[6], canvas.light)).toBeGreaterThanOrEqual(4.5)
  expect(contrast(colors.gray[6], colors.gray[1])).toBeGreaterThanOrEqual(4.5)
  expect(contrast(colors.dark[2], colors.dark[6])).toBeGreaterThanOrEqual(4.5)
})
