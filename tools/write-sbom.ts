import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownRoot } from './source-files.ts'

/* The software bill of materials (CycloneDX) of the packages that run, with the commit of the sources. */

/** In the root of the checkout. */
export const SBOM = 'floorcast-sbom.cdx.json'
const COMMIT = 'floorcast:commit'

interface Sbom {
  metadata: { component: { name: string; properties?: { name: string; value: string }[] } }
}

/** Names the product and the commit in the bill of materials of a checkout: npm calls it as its folder. */
export function nameSbom(root: string, commit: string): void {
  const file = join(root, SBOM)
  const sbom = JSON.parse(readFileSync(file, 'utf8')) as Sbom
  const { component } = sbom.metadata
  component.name = 'floorcast'
  const others = (component.properties ?? []).filter(({ name }) => name !== COMMIT)
  component.properties = [...others, { name: COMMIT, value: commit }]
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)
}

if (import.meta.main) {
  const options = [
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--omit',
    'dev',
    '--package-lock-only',
  ]
  writeFileSync(
    join(ownRoot, SBOM),
    execFileSync('npm', ['sbom', ...options], { cwd: ownRoot, maxBuffer: 2 ** 27 }),
  )
  nameSbom(ownRoot, execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ownRoot, encoding: 'utf8' }).trim())
}
