/** The texts of the pages for signed-in users. */
export default import.meta.glob<Record<string, unknown>>(
  [
    '../../../../../packages/locales/catalogues/ar/*.json',
    '!../../../../../packages/locales/catalogues/ar/{common,auth,fields,mails,outcomes,problems}.json',
  ],
  { import: 'default', eager: true },
)
