/** A media file that comes with the product. It was made for it and has no other owner. */
export interface SampleFile {
  contentType: 'melodies' | 'ads' | 'videos' | 'videosAds'
  /** The name of the file, with its extension. */
  name: string
  /** SHA-256 of its bytes: how a media item is known as a sample. */
  hash: string
  /** A file of this package in Node, an address of the console in the browser. */
  url: URL
}

/** Songs, ads and videos for the first steps and for the demonstration. Vite needs each address as a literal. */
export const sampleFiles: readonly SampleFile[] = [
  {
    contentType: 'melodies',
    name: 'Morning light.mp3',
    hash: 'e89fed1ed5ee7841c11a14603c8d65e3479355b6fd410b6746e9da838d789ae3',
    url: new URL('../files/Morning light.mp3', import.meta.url),
  },
  {
    contentType: 'melodies',
    name: 'Paper boats.mp3',
    hash: '97042ae2cb8879e398b6c78449d0113efaae3043f96e55b8d60494421b23d945',
    url: new URL('../files/Paper boats.mp3', import.meta.url),
  },
  {
    contentType: 'melodies',
    name: 'Market day.mp3',
    hash: '01e29a745bdc05be2d37a51cb0a156afd84fe7b6343d0d4542c780967a9fb44c',
    url: new URL('../files/Market day.mp3', import.meta.url),
  },
  {
    contentType: 'melodies',
    name: 'Blue hour.mp3',
    hash: 'e78b25c6c1abd9f89b99a80427bbdef066a73fd4faa9838a73a176b9814ba186',
    url: new URL('../files/Blue hour.mp3', import.meta.url),
  },
  {
    contentType: 'melodies',
    name: 'Long way home.mp3',
    hash: '3a99c3dac10768e0e88da319dc0a317ded8bfd8f00cbbd3896cc4f341e230b77',
    url: new URL('../files/Long way home.mp3', import.meta.url),
  },
  {
    contentType: 'ads',
    name: 'Fresh bread at eight.mp3',
    hash: 'e20551e4856b1e3d39c6448573db83719c943b3b545f0ae9fc8a8866e1f24a2d',
    url: new URL('../files/Fresh bread at eight.mp3', import.meta.url),
  },
  {
    contentType: 'ads',
    name: 'Two for the price of one.mp3',
    hash: '8b5c0dc9ede1f467bdaeed1223e69b1f6bef9c7c0f912db56a580b0eee229014',
    url: new URL('../files/Two for the price of one.mp3', import.meta.url),
  },
  {
    contentType: 'ads',
    name: 'Autumn coats are here.mp3',
    hash: 'd0d6f7e7417a5a61f04a062b1747f3e3a6cfe0e6c9cd21660a7646b6fa557222',
    url: new URL('../files/Autumn coats are here.mp3', import.meta.url),
  },
  {
    contentType: 'videos',
    name: 'Window show.mp4',
    hash: '9e97824b449d1295f8973387d96ecb4c8c7356fc423c8edd19f0f6f3bd80c038',
    url: new URL('../files/Window show.mp4', import.meta.url),
  },
  {
    contentType: 'videosAds',
    name: 'Sale of the week.mp4',
    hash: '3a197511377120a6a3630b2e1644e3460bafb523afc2a2085d8693b381f17da6',
    url: new URL('../files/Sale of the week.mp4', import.meta.url),
  },
]
