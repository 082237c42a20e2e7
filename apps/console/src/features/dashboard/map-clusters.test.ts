import type { MapCluster } from '@floorcast/contract/charts.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { joinClusters, scaleOf } from './map-clusters.ts'

const cell = 8

/** The cluster of the server's cell around a place. */
function clusterAt(latitude: number, longitude: number, some: Partial<MapCluster> = {}): MapCluster {
  const [south, west] = [Math.floor(latitude / cell) * cell, Math.floor(longitude / cell) * cell]
  const counts = { devices: 2, online: 1, linkdown: 0, linklost: 1, neverup: 0 }
  const place = `area:${south},${west},${south + cell},${west + cell}`
  return { latitude, longitude, ...counts, place, country: null, device: null, ...some }
}

it('asks for cells that are wider than bubbles, and joins those that are not', () => {
  expect(scaleOf(7)).toEqual({ zoom: 0, joinDegrees: 0 })
  expect(scaleOf(1)).toEqual({ zoom: 0, joinDegrees: 64 })
  expect(scaleOf(3)).toEqual({ zoom: 0, joinDegrees: 32 })
  expect(scaleOf(28)).toEqual({ zoom: 2, joinDegrees: 0 })
  expect(scaleOf(1e9)).toEqual({ zoom: 10, joinDegrees: 0 })
})

it('joins cells of one wider cell and leaves others and countries apart', () => {
  const country = clusterAt(1, 1, { place: 'country:NO', country: 'NO' })
  const [joined, far, kept] = joinClusters([clusterAt(1, 1), clusterAt(9, 9), clusterAt(-1, 1), country], 16)
  expect(joined).toMatchObject({ place: 'area:0,0,16,16', devices: 4, online: 2, linklost: 2, latitude: 5 })
  expect(far).toMatchObject({ place: 'area:-16,0,0,16', devices: 2 })
  expect(kept).toEqual(country)
  expect(joinClusters([country], 0)).toEqual([country])
})

it('joins so that the place of each finds the same devices, whatever they are', () => {
  const places = fc.array(
    fc.record({
      latitude: fc.integer({ min: -90, max: 90 }),
      longitude: fc.integer({ min: -180, max: 180 }),
    }),
  )
  fc.assert(
    fc.property(places, fc.constantFrom(16, 32, 64), (given, degrees) => {
      const clusters = given.map(({ latitude, longitude }) => clusterAt(latitude, longitude))
      for (const { place, devices } of joinClusters(clusters, degrees)) {
        const [south = 0, west = 0, north = 0, east = 0] = place.slice(5).split(',').map(Number)
        const found = clusters.filter(
          ({ latitude, longitude }) =>
            latitude >= south && latitude < north && longitude >= west && longitude < east,
        )
        expect(found.reduce((sum, one) => sum + one.devices, 0)).toBe(devices)
      }
    }),
    { numRuns: 50 },
  )
})
