import type { Kind } from '@floorcast/contract/fields.ts'
import en from '@floorcast/locales/catalogues/en/demo.json' with { type: 'json' }
import type { LocaleCode } from '@floorcast/contract/locales.ts'
import { release } from '@floorcast/contract/release.ts'
import { readCatalogues } from '@floorcast/locales/read-catalogues.ts'

const catalogues = readCatalogues('demo', en)
type DemoTexts = typeof en

/** The version of the update that is prepared: the next minor one. */
const NEXT_VERSION = release.version.replace(
  /^(\d+)\.(\d+).*/,
  (_, major, minor) => `${major}.${Number(minor) + 1}.0`,
)

/** Tracks are sample files by their names. */
interface SimplePlan {
  form: 'simple'
  tracks: readonly string[]
  crossfadeSeconds: number
}

/** Planned round the clock; targets in seconds. */
interface SmartPlan {
  form: 'smart'
  melodies: readonly string[]
  ads: readonly string[]
  melTime: number
  adsTime: number
}

interface Named {
  name: string
  description: string
}

export type SimpleShow = SimplePlan & Named
export type SmartShow = SmartPlan & Named

/** A shop's name, city, country, latitude, longitude and time zone. */
export type DemoPlace = readonly [
  name: string,
  city: string,
  country: string,
  latitude: string,
  longitude: string,
  timeZone: string,
]

export interface DemoShow {
  kind: Kind
  /** Store numbers count up from the first. */
  group: Named & { firstStoreNumber: number; shops: readonly DemoPlace[] }
  playlist: SimpleShow | SmartShow
  publication: string
}

/** A show without its names. */
interface ShowPlan {
  /** The key of its names in the texts. */
  id: 'street' | 'centres' | 'windows'
  kind: Kind
  firstStoreNumber: number
  shops: readonly DemoPlace[]
  playlist: SimplePlan | SmartPlan
}

/** Groups of shops and what each plays. Twenty devices in all. */
const shows: readonly ShowPlan[] = [
  {
    id: 'street',
    kind: 'audio',
    firstStoreNumber: 101,
    shops: [
      ['Lyon Bellecour', 'Lyon', 'FR', '45.757', '4.832', 'Europe/Paris'],
      ['Leeds Briggate', 'Leeds', 'GB', '53.797', '-1.541', 'Europe/London'],
      ['Porto Baixa', 'Porto', 'PT', '41.147', '-8.611', 'Europe/Lisbon'],
      ['Graz Sporgasse', 'Graz', 'AT', '47.073', '15.438', 'Europe/Vienna'],
      ['Malmö Triangeln', 'Malmö', 'SE', '55.594', '13.000', 'Europe/Stockholm'],
      ['Sevilla Sierpes', 'Sevilla', 'ES', '37.391', '-5.994', 'Europe/Madrid'],
      ['Gdańsk Długa', 'Gdańsk', 'PL', '54.349', '18.653', 'Europe/Warsaw'],
      ['Bergen Torgallmenningen', 'Bergen', 'NO', '60.392', '5.324', 'Europe/Oslo'],
      ['Ghent Veldstraat', 'Ghent', 'BE', '51.052', '3.722', 'Europe/Brussels'],
      ['Turku Yliopistonkatu', 'Turku', 'FI', '60.451', '22.268', 'Europe/Helsinki'],
    ],
    playlist: {
      form: 'simple',
      tracks: [
        'Morning light.mp3',
        'Paper boats.mp3',
        'Fresh bread at eight.mp3',
        'Market day.mp3',
        'Blue hour.mp3',
        'Two for the price of one.mp3',
      ],
      crossfadeSeconds: 2,
    },
  },
  {
    id: 'centres',
    kind: 'audio',
    firstStoreNumber: 201,
    shops: [
      ['Milano CityLife', 'Milano', 'IT', '45.478', '9.156', 'Europe/Rome'],
      ['Berlin Alexa', 'Berlin', 'DE', '52.520', '13.415', 'Europe/Berlin'],
      ['Praha Chodov', 'Praha', 'CZ', '50.032', '14.491', 'Europe/Prague'],
      ['Warszawa Arkadia', 'Warszawa', 'PL', '52.257', '20.984', 'Europe/Warsaw'],
      ['Lisboa Colombo', 'Lisboa', 'PT', '38.754', '-9.188', 'Europe/Lisbon'],
      ['Athens Metro Mall', 'Athens', 'GR', '37.941', '23.739', 'Europe/Athens'],
      ['Wien Mitte', 'Wien', 'AT', '48.207', '16.385', 'Europe/Vienna'],
      ['Dublin Dundrum', 'Dublin', 'IE', '53.287', '-6.241', 'Europe/Dublin'],
    ],
    playlist: {
      form: 'smart',
      melodies: [
        'Morning light.mp3',
        'Paper boats.mp3',
        'Market day.mp3',
        'Blue hour.mp3',
        'Long way home.mp3',
      ],
      ads: ['Fresh bread at eight.mp3', 'Two for the price of one.mp3', 'Autumn coats are here.mp3'],
      melTime: 720,
      adsTime: 90,
    },
  },
  {
    id: 'windows',
    kind: 'video',
    firstStoreNumber: 301,
    shops: [
      ['Paris Haussmann', 'Paris', 'FR', '48.873', '2.332', 'Europe/Paris'],
      ['London Oxford Street', 'London', 'GB', '51.515', '-0.142', 'Europe/London'],
    ],
    playlist: {
      form: 'simple',
      tracks: ['Window show.mp4', 'Sale of the week.mp4', 'Window show.mp4'],
      crossfadeSeconds: 0,
    },
  },
]

/** When the publication starts that waits on the first group for a morning two days ahead. */
export const DELAYED_WALL_TIME = '09:00:00'

/** Hours of a shop day, in each shop's own zone. The first that a visitor of now finds open is taken, so that music plays. */
const shopDays = [
  { openingTime: '08:00', closingTime: '20:00' },
  { openingTime: '14:00', closingTime: '02:00' },
  { openingTime: '22:00', closingTime: '10:00' },
] as const

/** The opening hours of all shops, which are in zones of three hours. @param now a visitor's moment */
export function demoHours(now: Date): (typeof shopDays)[number] {
  const hour = now.getUTCHours()
  if (hour >= 8 && hour < 16) return shopDays[0]
  return hour >= 16 && hour < 22 ? shopDays[1] : shopDays[2]
}

const profiles = [
  { id: 'sound', type: 'audio', settings: { defaultVolume: 65, loudnessTargetLufs: -16 } },
  { id: 'alerts', type: 'alert', settings: { alertVolume: 90 } },
] as const

/** A drill of two days ago, before the shops of the second group opened. */
export const demoDrill = { kind: 'air', daysAgo: 2, minutesBeforeOpening: 30, seconds: 40 } as const

/** @param sample the name of a sample file @returns its name in the demonstration */
function nameOfMedia(texts: DemoTexts, sample: string): string {
  const [, name = '', extension = ''] = /^(.+)(\.\w+)$/.exec(sample) ?? []
  const own = new Map(Object.entries(texts.media)).get(name)
  if (own === undefined) throw new Error(`demo.json has no name for ${sample}`)
  return own + extension
}

/** What the demonstration has in a language. Names of places are the same in all. */
export function readDemoContent(language: LocaleCode) {
  const texts: DemoTexts = catalogues[language]
  const { groups, playlists, publications } = texts
  return {
    userName: texts.user,
    shows: shows.map(({ id, kind, firstStoreNumber, shops, playlist }): DemoShow => {
      const named = shops.map(([name, ...place]): DemoPlace => [
        id === 'windows' ? texts.windowName.replace('{{place}}', name) : name,
        ...place,
      ])
      return {
        kind,
        group: { ...groups[id], firstStoreNumber, shops: named },
        playlist: { ...playlist, ...playlists[id] },
        publication: publications[id],
      }
    }),
    /** A group that has no publication yet. */
    unpublished: groups.later,
    delayedPublication: publications.later,
    /** Profiles of the devices of all groups. */
    profiles: profiles.map(({ id, ...profile }) => ({ ...profile, ...texts.profiles[id] })),
    /** An update that is prepared. Files need a key of who runs the shops, so that it has none. */
    update: { ...texts.update, version: NEXT_VERSION },
    nameOfMedia: (sample: string) => nameOfMedia(texts, sample),
  }
}

export type DemoContent = ReturnType<typeof readDemoContent>
