import { globSync, readFileSync, readdirSync } from 'node:fs'
import { outcomeNames, reasons } from '@floorcast/contract/outcomes.ts'
import { findFaults, findNameFaults, findUnused } from './catalogue-checks.ts'
import { readCatalogue } from './catalogue-files.ts'
import { readKeyUses } from './key-uses.ts'
import { locales, type LocaleCode } from './locales.ts'

/** Keys whose words are rightly the same as in English, by language: the product's name, units, shared words. */
const sameWords: Partial<Record<LocaleCode, readonly string[]>> = {
  ar: ['media:lufs', 'media:dbtp', 'profiles:units.loudnessTargetLufs'],
}

const catalogues = 'packages/locales/catalogues'
const folders = readdirSync(catalogues)
const english = readCatalogue(`${catalogues}/en`)

const sources = globSync('apps/console/src/**/*.{ts,tsx}').filter(file => !/\.test\.tsx?$/.test(file))
const uses = readKeyUses(sources.map(file => readFileSync(file, 'utf8')))

const faults = [
  ...folders
    .filter(folder => !locales.some(({ code }) => code === folder))
    .map(folder => `${folder}: no language of locales.ts`),
  ...locales
    .filter(({ code }) => folders.includes(code))
    .flatMap(({ code, tag }) => {
      const words = code === 'en' ? english : readCatalogue(`${catalogues}/${code}`)
      return findFaults({ code, tag, words, same: new Set(sameWords[code]) }, english)
    }),
  ...findNameFaults(english, 'outcomes', outcomeNames),
  ...findNameFaults(english, 'reasons', reasons),
  // The server takes the texts of mails and reports as a whole (mail-texts.ts, report-texts.ts).
  ...findUnused(english, key => uses(key) || /^(mails|reports):/.test(key)),
]
for (const fault of faults) console.error(fault)
if (faults.length > 0) {
  console.error(`\n${faults.length} faults in ${catalogues}`)
  process.exit(1)
}
