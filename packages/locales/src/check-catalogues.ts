import { globSync, readFileSync, readdirSync } from 'node:fs'
import { outcomeNames, reasons } from '@floorcast/contract/outcomes.ts'
import { findFaults, findLatinWords, findNameFaults, findUnused } from './catalogue-checks.ts'
import { readCatalogue, readSameWords } from './catalogue-files.ts'
import { readKeyUses } from './key-uses.ts'
import { locales } from '@floorcast/contract/locales.ts'

/** What languages of other scripts write in Latin letters: names, formats, units, keys, commands, and examples of what is typed. */
const latinNames = new Set(
  [
    'Floorcast PostgreSQL Excel Linux QuickTime Europe Europe/Moscow Asia/Riyadh US-RC1-76-07839 x1080 example.com',
    'Floorcast PostgreSQL Excel Linux QuickTime Europe Europe/Kyiv Asia/Riyadh US-RC1-76-07839 x1080 example.com',
    'AAC CSV csv Ed25519 H.264 HTTPS https IAB IP ISRC JPEG JSON LUFS MAC M3U M3U8 MP3 MP4 MPEG PDF PIN PNG QR SHA-256',
    'UTC UTF-8 WebP dBTP xlsx zip sig',
    'Asia/Shanghai Linux MB dB kHz kbit/s',
    'Alt Ctrl Data Delete Down End Enter Esc Home Page Shift Up POST',
    'npm run sign-update verify-proof make-key text secret.key manifest.json plays.csv api/v2/proof/key rc.1',
    'sudo sh root mpv Node http alsa pipewire null DIR systemd',
    'linux-x64 linux-arm64 linux-arm Program Name',
    'aisle all audience checkout country entrance exterior latitude longitude name other true uid',
  ].flatMap(line => line.split(' ')),
)

const catalogues = 'packages/locales/catalogues'
const folders = readdirSync(catalogues)
const english = readCatalogue(`${catalogues}/en`)

const sources = globSync('apps/console/src/**/*.{ts,tsx}').filter(file => !/\.test\.tsx?$/.test(file))
const uses = readKeyUses(sources.map(file => readFileSync(file, 'utf8')))

const faults = [
  ...folders
    .filter(folder => !locales.some(({ code }) => code === folder))
    .map(folder => `${folder}: no language of locales.ts`),
  ...locales.filter(({ code }) => !folders.includes(code)).map(({ code }) => `${code}: no catalogues`),
  ...locales
    .filter(({ code }) => folders.includes(code))
    .flatMap(({ code, tag }) => {
      const words = code === 'en' ? english : readCatalogue(`${catalogues}/${code}`)
      const language = { code, tag, words, same: readSameWords(`packages/locales/same-words/${code}.json`) }
      return [...findFaults(language, english), ...findLatinWords(language, latinNames)]
    }),
  ...findNameFaults(english, 'outcomes', outcomeNames),
  ...findNameFaults(english, 'reasons', reasons),
  // The server takes the texts of the demonstration, mails, reports and the installer as a whole (…-texts.ts), the manual's build its own.
  ...findUnused(english, key => uses(key) || /^(demo|installer|mails|manual|reports):/.test(key)),
]
for (const fault of faults) console.error(fault)
if (faults.length > 0) {
  console.error(`\n${faults.length} faults in ${catalogues}`)
  process.exit(1)
}
