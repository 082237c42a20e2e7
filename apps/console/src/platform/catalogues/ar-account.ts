/** The texts of the profile, of mailed links, and of the pages that anyone may open. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/ar/{account,links,proof}.json',
  { import: 'default', eager: true },
)
