import { latePart } from '../overlay/late-part.ts'
import type { NameEditorProps } from './name-editor.tsx'

/** The editor of a name; the name stands in its place until its code has come. */
export const useNameEditor = latePart<NameEditorProps>(
  async () => (await import('./name-editor.tsx')).NameEditor,
)
