/// <reference types="vite/client" />

/** Written by `vite.config.ts`. */
declare module 'virtual:country-shapes' {
  const countries: import('./ui/map/country-shapes.ts').CountryShape[]
  export default countries
}
