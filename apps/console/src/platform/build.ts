import { hasStrings, isRecord } from './stored-shape.ts'

/** `/build.json`: the build that the server has now. All are addresses. */
export interface Build {
  /** The first script. It names all others, so each build has another one. */
  main: string
  /** The files of /login, /lock and the frame of the signed-in pages, without texts. */
  shell: readonly string[]
  /** The further files of all pages before anyone touches them. */
  pages: readonly string[]
  /** The texts by the code of their language. */
  words: Readonly<Record<string, readonly string[]>>
}

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(each => typeof each === 'string')

function isBuild(body: unknown): body is Build {
  if (!hasStrings(body, ['main'])) return false
  const { shell, pages, words }: Record<string, unknown> = body
  return isList(shell) && isList(pages) && isRecord(words) && Object.values(words).every(isList)
}

/** The build that the server has. Null if it does not answer, and in development. */
export async function readBuild(): Promise<Build | null> {
  try {
    const answer = await fetch('/build.json')
    const body: unknown = answer.ok ? await answer.json() : null
    return isBuild(body) ? body : null
  } catch {
    return null
  }
}
