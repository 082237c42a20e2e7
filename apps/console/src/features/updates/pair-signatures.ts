const ENDING = '.sig'

/** A file to upload, with the signature of FILE.sig; empty without one. */
export interface SignedFile<File> {
  file: File
  signature: string
}

interface NamedFile {
  name: string
  text(): Promise<string>
}

/**
 * Adds chosen files to those that were chosen before. FILE.sig is the signature of FILE, whichever comes first; a file of a name that
 * is there replaces it.
 */
export async function addChosenFiles<File extends NamedFile>(
  before: readonly SignedFile<File>[],
  chosen: readonly File[],
): Promise<SignedFile<File>[]> {
  const signatures = new Map<string, string>()
  for (const file of chosen)
    if (file.name.endsWith(ENDING))
      signatures.set(file.name.slice(0, -ENDING.length), (await file.text()).trim())
  const added = chosen.filter(({ name }) => !name.endsWith(ENDING))
  const kept = before.filter(({ file }) => !added.some(({ name }) => name === file.name))
  return [...kept, ...added.map(file => ({ file, signature: '' }))].map(({ file, signature }) => ({
    file,
    signature: signatures.get(file.name) ?? signature,
  }))
}
