import { readFileSync } from 'node:fs'

const manifest = new URL('../package.json', import.meta.url)

/** The version of the project's own Node, which npm puts first on the path of its scripts. */
export const ownNode = (JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies: { node: string } })
  .dependencies.node

/** @throws one plain line where `version` is another: tests that fail on another Node tell nothing. */
export function requireOwnNode(version: string) {
  if (version === ownNode) return
  const error = new Error(
    `This is Node ${version}; the tests need the project's own Node ${ownNode}: use npm test or npx vitest.`,
  )
  // The runner prints the stack, which points into its own files here.
  error.stack = error.message
  throw error
}
