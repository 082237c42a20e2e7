/** The words of the door: what /login and /lock need. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/ar/{common,door,fields,outcomes,problems}.json',
  { import: 'default', eager: true },
)
