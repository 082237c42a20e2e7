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
    hash: '68929503bfd873c2f306fa814fd1db016ecb342616c328e1ebf4555eac874e40',
    url: new URL('../files/Morning light.mp3', import.meta.url),
  },
  {
    contentType: 'melodies',
    name: 'Paper boats.mp3',
    hash: '07c7f05c56431802d4034ec2f5dd25571e7611c83b4588cf520cfa9e92f4324b',
    url: new URL('../files/Paper boats.mp3', import.meta.url),
  },
  {
    contentType: 'melodies',
    name: 'Market day.mp3',
    hash: '7a95f6c6766a5bb4f6fd639c60a6fe7fe852109367a6567c9e722e291070c3a4',
    url: new URL('../files/Market day.mp3', import.meta.url),
  },
  {
    contentType: 'melodies',
    name: 'Blue hour.mp3',
    hash: 'b336007a7d1df281a1b7e36b94231bc9a8537694e558241eefa88bfd0cafa15c',
    url: new URL('../files/Blue hour.mp3', import.meta.url),
  },
  {
    contentType: 'melodies',
    name: 'Long way home.mp3',
    hash: '81559e8e97bddb8f8e6d065aa204fe4b0a3f5f159a37ecfb172108e1a44d3984',
    url: new URL('../files/Long way home.mp3', import.meta.url),
  },
  {
    contentType: 'ads',
    name: 'Fresh bread at eight.mp3',
    hash: '91f5aae2bada4f4f4969d90140f2ea49ee5cfe4346d1724aa38d71091e6bd491',
    url: new URL('../files/Fresh bread at eight.mp3', import.meta.url),
  },
  {
    contentType: 'ads',
    name: 'Two for the price of one.mp3',
    hash: '80c630430157ee67f06a7af25cdcf5c2e2c5709650706e5d39aa6bee495c100c',
    url: new URL('../files/Two for the price of one.mp3', import.meta.url),
  },
  {
    contentType: 'ads',
    name: 'Autumn coats are here.mp3',
    hash: '450950abcfe8450e8d5b9c974f903031577b9d0d1ee0a794c42118e6f78a86f6',
    url: new URL('../files/Autumn coats are here.mp3', import.meta.url),
  },
  {
    contentType: 'videos',
    name: 'Window show.mp4',
    hash: '843a45b02879a88131010f2a45a1b48ea78b5b122d0993f68671980815fd2bd2',
    url: new URL('../files/Window show.mp4', import.meta.url),
  },
  {
    contentType: 'videosAds',
    name: 'Sale of the week.mp4',
    hash: '43f7238b53b00956423dd39c17811944ee7b33340b10f5c9b81e93e8a60fe225',
    url: new URL('../files/Sale of the week.mp4', import.meta.url),
  },
]
