/** The words of the pages behind the door. */
export default import.meta.glob<Record<string, unknown>>(
  [
    '../../../../../packages/locales/catalogues/en/*.json',
    '!../../../../../packages/locales/catalogues/en/{common,door,fields,outcomes,problems}.json',
  ],
  { import: 'default', eager: true },
)
