/** The texts of /login and /lock. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/ar/{common,auth,fields,outcomes,problems}.json',
  { import: 'default', eager: true },
)
