import type { Kind } from '@floorcast/contract/fields.ts'

export interface SimpleShow {
  form: 'simple'
  name: string
  description: string
  tracks: readonly string[]
  crossfadeSeconds: number
}

/** Planned round the clock; targets in seconds. */
export interface SmartShow {
  form: 'smart'
  name: string
  description: string
  melodies: readonly string[]
  ads: readonly string[]
  melTime: number
  adsTime: number
}

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
  group: { name: string; description: string; firstStoreNumber: number; shops: readonly DemoPlace[] }
  playlist: SimpleShow | SmartShow
  publication: string
}

/** Groups of shops, what each plays, and the publication that binds them. Twenty devices in all. */
export const demoShows: readonly DemoShow[] = [
  {
    kind: 'audio',
    group: {
      name: 'High street shops',
      description: 'Shops on the street, music and ads',
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
    },
    playlist: {
      form: 'simple',
      name: 'Morning mix',
      description: 'Songs with an ad after every second one',
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
    publication: 'On the air in the high street',
  },
  {
    kind: 'audio',
    group: {
      name: 'Shopping centres',
      description: 'Shops inside centres, quieter',
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
    },
    playlist: {
      form: 'smart',
      name: 'Planned day',
      description: 'Twelve minutes of songs, then every offer once',
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
    publication: 'On the air in the centres',
  },
  {
    kind: 'video',
    group: {
      name: 'Shop windows',
      description: 'Screens behind the glass',
      firstStoreNumber: 301,
      shops: [
        ['Paris Haussmann window', 'Paris', 'FR', '48.873', '2.332', 'Europe/Paris'],
        ['London Oxford Street window', 'London', 'GB', '51.515', '-0.142', 'Europe/London'],
      ],
    },
    playlist: {
      form: 'simple',
      name: 'Window loop',
      description: 'A film and the sale of the week',
      tracks: ['Window show.mp4', 'Sale of the week.mp4', 'Window show.mp4'],
      crossfadeSeconds: 0,
    },
    publication: 'In the windows',
  },
]

/** A group that has no publication yet. */
export const demoUnpublished = { name: 'Opening soon', description: 'Shops without a programme yet' }

/** Waits on the first group for a morning two days ahead. */
export const demoDelayed = { publication: 'Planned from the day after', wallTime: '09:00:00' }

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

/** Profiles of the devices of all groups. */
export const demoProfiles = [
  {
    name: 'Sound of the shops',
    description: 'One loudness for music and ads',
    type: 'audio',
    settings: { defaultVolume: 65, loudnessTargetLufs: -16 },
  },
  {
    name: 'Loud alerts',
    description: 'Alerts are louder than the music',
    type: 'alert',
    settings: { alertVolume: 90 },
  },
] as const

/** An update that is prepared. Files need a key of who runs the shops, so that it has none. */
export const demoUpdate = { name: 'Player 2.776', version: '2.776.0', channel: 'First shops' } as const

/** A drill of two days ago, before the shops of the second group opened. */
export const demoDrill = { kind: 'air', daysAgo: 2, minutesBeforeOpening: 30, seconds: 40 } as const
