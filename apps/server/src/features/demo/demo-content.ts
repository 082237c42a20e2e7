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

export interface DemoShow {
  kind: Kind
  /** Store numbers count up from the first. */
  group: { name: string; description: string; firstStoreNumber: number; devices: readonly string[] }
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
      devices: [
        'Lyon Bellecour',
        'Leeds Briggate',
        'Porto Baixa',
        'Graz Sporgasse',
        'Malmö Triangeln',
        'Sevilla Sierpes',
        'Gdańsk Długa',
        'Bergen Torgallmenningen',
        'Ghent Veldstraat',
        'Turku Yliopistonkatu',
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
      devices: [
        'Milano CityLife',
        'Berlin Alexa',
        'Praha Chodov',
        'Warszawa Arkadia',
        'Lisboa Colombo',
        'Athens Metro Mall',
        'Wien Mitte',
        'Dublin Dundrum',
      ],
    },
    playlist: {
      form: 'smart',
      name: 'Planned day',
      description: 'Four minutes of songs, then every offer once, round the clock',
      melodies: [
        'Morning light.mp3',
        'Paper boats.mp3',
        'Market day.mp3',
        'Blue hour.mp3',
        'Long way home.mp3',
      ],
      ads: ['Fresh bread at eight.mp3', 'Two for the price of one.mp3', 'Autumn coats are here.mp3'],
      melTime: 240,
      adsTime: 60,
    },
    publication: 'On the air in the centres',
  },
  {
    kind: 'video',
    group: {
      name: 'Shop windows',
      description: 'Screens behind the glass',
      firstStoreNumber: 301,
      devices: ['Paris Haussmann window', 'London Oxford Street window'],
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
