import type { DeviceMap, MapCluster } from '@floorcast/contract/charts.ts'
import type { Connectivity } from '@floorcast/contract/devices.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { orNotFound } from '../../platform/lib/errors.ts'
import { centerOf, countryCodeOf } from '../places/places.ts'
import { existsChoice, findPlaces, type PlacedDevice } from './charts-queries.ts'

const MAX_CLUSTERS = 500
const MAX_LISTED = 20
/** The width of a cell at zoom 0. */
const CELL_DEGREES = 8

type Counts = Record<Connectivity, number> & { devices: number }

function countStates(devices: readonly PlacedDevice[]): Counts {
  const counts = { online: 0, linkdown: 0, linklost: 0, neverup: 0, devices: devices.length }
  for (const { connectivity } of devices) counts[connectivity] += 1
  return counts
}

const toReference = ({ uid, name, connectivity }: PlacedDevice) => ({ uid, name, connectivity })
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const rounded = (degrees: number) => Number(degrees.toFixed(7))

type Located = PlacedDevice & { latitude: number; longitude: number }
const isLocated = (device: PlacedDevice): device is Located =>
  device.latitude !== null && device.longitude !== null

/** Devices of one cell of the grid. The last cells reach beyond the poles and the date line, where their borders' devices are. */
function toCluster(cell: string, degrees: number, devices: readonly Located[]): MapCluster {
  const [row = 0, column = 0] = cell.split(' ').map(Number)
  const area = [row, column, row + 1, column + 1].map(index => rounded(index * degrees))
  return {
    ...countStates(devices),
    latitude: rounded(mean(devices.map(({ latitude }) => latitude))),
    longitude: rounded(mean(devices.map(({ longitude }) => longitude))),
    place: `area:${area.join(',')}`,
    country: null,
    device: devices.length === 1 && devices[0] ? toReference(devices[0]) : null,
  }
}

/** Doubles the cells until few enough hold devices. */
function clusterByCells(devices: readonly Located[], zoom: number, maxClusters: number): MapCluster[] {
  for (let degrees = CELL_DEGREES / 2 ** zoom; ; degrees *= 2) {
    const cells = Map.groupBy(devices, ({ latitude, longitude }) =>
      [latitude, longitude].map(value => Math.floor(value / degrees)).join(' '),
    )
    if (cells.size <= maxClusters || degrees >= 90)
      return [...cells].map(([cell, inCell]) => toCluster(cell, degrees, inCell))
  }
}

/** The devices on the map in clusters, and those that are nowhere. @throws ProblemError 404 for an unknown group */
export async function readDeviceMap(
  ctx: RequestContext,
  { zoom, group }: { zoom: number; group?: string | undefined },
): Promise<DeviceMap> {
  const { reads } = ctx.scope
  orNotFound((await existsChoice(reads, { group })) || undefined)
  const devices = await findPlaces(reads, group, ctx.now)
  const byCountry = Map.groupBy(
    devices.filter(device => !isLocated(device)),
    ({ country }) => (country === null ? null : countryCodeOf(country)),
  )
  const nowhere = byCountry.get(null) ?? []
  const countries = [...byCountry].flatMap(([code, inCountry]): MapCluster[] =>
    code === null
      ? []
      : [
          {
            ...countStates(inCountry),
            ...centerOf(code),
            place: `country:${code}`,
            country: code,
            device: inCountry.length === 1 && inCountry[0] ? toReference(inCountry[0]) : null,
          },
        ],
  )
  return {
    asOf: ctx.now.toISOString(),
    clusters: [
      ...countries,
      ...clusterByCells(devices.filter(isLocated), zoom, MAX_CLUSTERS - countries.length),
    ],
    notOnMap: {
      ...countStates(nowhere),
      place: 'none',
      first: nowhere.slice(0, MAX_LISTED).map(toReference),
    },
  }
}
