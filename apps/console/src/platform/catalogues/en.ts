/** The texts of the pages for signed-in users. */
export default import.meta.glob<Record<string, unknown>>(
  [
    '../../../../../packages/locales/catalogues/en/*.json',
    '!../../../../../packages/locales/catalogues/en/{common,auth,fields,mails,outcomes,problems}.json',
  ],
  { import: 'default', eager: true },
)
