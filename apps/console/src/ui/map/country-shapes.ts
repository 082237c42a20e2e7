import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

/** A point as longitude and latitude, in degrees. */
export type Position = [longitude: number, latitude: number]
type Ring = readonly Position[]

/** A country as ECharts reads it (GeoJSON). */
export interface CountryShape {
  type: 'Feature'
  properties: { name: string }
  geometry: { type: 'MultiPolygon'; coordinates: Position[][][] }
}

const ANTARCTICA = '010'
const HALF_TURN = 180
const TURN = 360
/** A hundredth of a degree is less than a pixel of a map that is eight screens wide. */
const DECIMALS = 2

/**
 * The outlines of countries without Antarctica. Rings are cut at the 180th meridian: ECharts would draw streaks across
 * the map where they cross it.
 */
export function buildCountryShapes(
  world: Topology<{ countries: GeometryCollection<{ name: string }> }>,
): CountryShape[] {
  return feature(world, world.objects.countries).features.flatMap(({ id, geometry }) => {
    if (id === ANTARCTICA) return []
    const polygons =
      geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates
          : []
    const coordinates = polygons.flatMap(rings => cutPolygon(rings.map(ring => ring.map(toPosition))))
    return [
      {
        type: 'Feature',
        properties: { name: String(id ?? '') },
        geometry: { type: 'MultiPolygon', coordinates },
      },
    ]
  })
}

const toPosition = ([longitude = 0, latitude = 0]: readonly number[]): Position => [longitude, latitude]

/** The parts of a polygon on each side of the 180th meridian, each within -180 to 180 degrees. */
export function cutPolygon(rings: readonly Ring[]): Position[][][] {
  const unwound = rings.map(unwind)
  return [-TURN, 0, TURN].flatMap(shift => {
    const parts = unwound
      .map(ring => clip(ring.map(([longitude, latitude]) => [longitude + shift, latitude])))
      .filter(ring => ring.length > 3)
    return parts.length > 0 ? [parts.map(ring => ring.map(round))] : []
  })
}

const round = ([longitude, latitude]: Position): Position => [
  Number(longitude.toFixed(DECIMALS)),
  Number(latitude.toFixed(DECIMALS)),
]

/** A ring without jumps: 179, -179 becomes 179, 181. */
function unwind(ring: Ring): Position[] {
  let turns = 0
  let last = ring[0]?.[0] ?? 0
  return ring.map(([longitude, latitude]) => {
    if (longitude - last > HALF_TURN) turns -= TURN
    else if (last - longitude > HALF_TURN) turns += TURN
    last = longitude
    return [longitude + turns, latitude]
  })
}

/** The part of a ring within -180 to 180 degrees, closed; empty if there is none. */
function clip(ring: Ring): Position[] {
  const east = clipAt(ring, ([longitude]) => longitude <= HALF_TURN, HALF_TURN)
  return clipAt(east, ([longitude]) => longitude >= -HALF_TURN, -HALF_TURN)
}

/** Sutherland and Hodgman's step for one edge, a meridian. */
function clipAt(ring: Ring, isInside: (at: Position) => boolean, meridian: number): Position[] {
  const kept: Position[] = []
  for (const [index, end] of ring.entries()) {
    const start = ring[index - 1]
    if (start && isInside(start) !== isInside(end)) {
      const share = (meridian - start[0]) / (end[0] - start[0])
      kept.push([meridian, start[1] + share * (end[1] - start[1])])
    }
    if (isInside(end)) kept.push(end)
  }
  const [first] = kept
  const last = kept.at(-1)
  if (first && last && (first[0] !== last[0] || first[1] !== last[1])) kept.push(first)
  return kept
}
