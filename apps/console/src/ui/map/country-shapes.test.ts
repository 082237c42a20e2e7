import { expect, it } from 'vitest'
import world from 'world-atlas/countries-110m.json'
import { buildCountryShapes, cutPolygon, type Position } from './country-shapes.ts'

type World = Parameters<typeof buildCountryShapes>[0]

/** The sides of rings, without those that run along the cut itself. */
const sides = (rings: readonly (readonly Position[])[]) =>
  rings.flatMap(ring => ring.slice(1).map((end, index) => [ring[index] ?? end, end] as const))

it('cuts a ring that crosses the 180th meridian into one part on each side', () => {
  const square: Position[] = [
    [170, 10],
    [-170, 10],
    [-170, -10],
    [170, -10],
    [170, 10],
  ]
  expect(cutPolygon([square])).toEqual([
    [
      [
        [-180, 10],
        [-170, 10],
        [-170, -10],
        [-180, -10],
        [-180, 10],
      ],
    ],
    [
      [
        [170, 10],
        [180, 10],
        [180, -10],
        [170, -10],
        [170, 10],
      ],
    ],
  ])
})

it('leaves a ring alone that crosses nothing', () => {
  const square: Position[] = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 0],
  ]
  expect(cutPolygon([square])).toEqual([[square]])
})

it('draws no streak across the world: no side of a country is longer than 60 degrees', () => {
  const shapes = buildCountryShapes(world as unknown as World)
  expect(shapes.length).toBeGreaterThan(170)
  for (const { properties, geometry } of shapes) {
    for (const [start, end] of sides(geometry.coordinates.flat())) {
      expect(Math.abs(end[0] - start[0]), `country ${properties.name}`).toBeLessThan(60)
      for (const [longitude] of [start, end]) expect(Math.abs(longitude)).toBeLessThanOrEqual(180)
    }
  }
})
