/// <reference types="vite/client" />

/** Written by `vite.config.ts`. */
declare module 'virtual:country-shapes' {
  const countries: import('./ui/map/country-shapes.ts').CountryShape[]
  export default countries
}

/** The texts of each language and part: `de-shell` has those of the part `shell` in German, by file. */
declare module 'virtual:words' {
  const words: Partial<Record<string, () => Promise<{ default: Record<string, Record<string, unknown>> }>>>
  export default words
}

/**
 * The languages that have a manual, its page (slug) for each route of the console without `:uid`, and by language the address of its
 * section about plays after a restore.
 */
declare module 'virtual:help' {
  const help: { languages: string[]; slugs: Record<string, string>; restored: Record<string, string> }
  export default help
}
