import type { MapCluster } from '@floorcast/contract/charts.ts'

/** The width of the server's cells at zoom 0, in degrees; each further zoom halves it. */
const WIDEST_CELL = 8
const MAX_ZOOM = 10
/** Bubbles of neighboring cells do not touch on average. */
const CELL_PIXELS = 56

/** The scale of the map: the zoom to ask for, and by how much cells are joined that lie nearer than bubbles are wide. */
export interface MapScale {
  zoom: number
  /** The width of joined cells in degrees; 0: cells are wide enough. */
  joinDegrees: number
}

/** @param pixelsPerDegree of longitude */
export function scaleOf(pixelsPerDegree: number): MapScale {
  const halvings = Math.floor(Math.log2((WIDEST_CELL * pixelsPerDegree) / CELL_PIXELS))
  if (halvings < 0) return { zoom: 0, joinDegrees: WIDEST_CELL / 2 ** halvings }
  return { zoom: Math.min(MAX_ZOOM, halvings), joinDegrees: 0 }
}

/** The bounds of a cluster's cell in degrees; null for a country. */
function areaOf(place: string): { south: number; west: number; north: number } | null {
  if (!place.startsWith('area:')) return null
  const [south = 0, west = 0, north = 0] = place.slice('area:'.length).split(',').map(Number)
  return { south, west, north }
}

/**
 * Joins the clusters of neighboring cells by wider cells, which begin where theirs do, so that the place of what was joined
 * finds the same devices. Clusters of a whole country stay apart.
 */
export function joinClusters(clusters: readonly MapCluster[], joinDegrees: number): MapCluster[] {
  if (joinDegrees === 0) return [...clusters]
  const joined = new Map<string, MapCluster>()
  for (const cluster of clusters) {
    const area = areaOf(cluster.place)
    const isWide = area === null || area.north - area.south >= joinDegrees
    const place = isWide ? cluster.place : cellAround(area, joinDegrees)
    const known = joined.get(place)
    joined.set(place, known ? addCluster(known, cluster) : { ...cluster, place })
  }
  return [...joined.values()]
}

function cellAround({ south, west }: { south: number; west: number }, degrees: number): string {
  const [bottom, start] = [south, west].map(edge => Math.floor(edge / degrees) * degrees) as [number, number]
  return `area:${[bottom, start, bottom + degrees, start + degrees].join()}`
}

/** Two clusters as one, at the center of their devices. */
function addCluster(one: MapCluster, other: MapCluster): MapCluster {
  const devices = one.devices + other.devices
  const weigh = (a: number, b: number) => (a * one.devices + b * other.devices) / devices
  return {
    latitude: weigh(one.latitude, other.latitude),
    longitude: weigh(one.longitude, other.longitude),
    devices,
    online: one.online + other.online,
    linkdown: one.linkdown + other.linkdown,
    linklost: one.linklost + other.linklost,
    neverup: one.neverup + other.neverup,
    place: one.place,
    country: null,
    device: null,
  }
}
