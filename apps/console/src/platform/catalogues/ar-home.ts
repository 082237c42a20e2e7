/** The texts of the overview and of the player in the browser. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/ar/{dashboard,streaming}.json',
  { import: 'default', eager: true },
)
