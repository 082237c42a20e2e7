/** The words of the pages behind the door. */
export default import.meta.glob<Record<string, unknown>>(
  [
    '../../../../../packages/locales/catalogues/ar/*.json',
    '!../../../../../packages/locales/catalogues/ar/{common,door,fields,outcomes,problems}.json',
  ],
  { import: 'default', eager: true },
)
