/** Every word of one language, as one part of the build. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/en/*.json',
  { import: 'default', eager: true },
)
