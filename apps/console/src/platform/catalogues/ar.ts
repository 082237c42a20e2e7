/** Every word of one language, as one part of the build. */
export default import.meta.glob<Record<string, unknown>>(
  '../../../../../packages/locales/catalogues/ar/*.json',
  { import: 'default', eager: true },
)
