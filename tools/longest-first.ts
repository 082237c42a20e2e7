import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readSeconds } from './slices.ts'
import { ownRoot } from './source-files.ts'

/** Begins with the files that take longest: one that is left for the end keeps a worker while the other has nothing to do. */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = readSeconds()
    const of = ({ moduleId }: TestSpecification) => seconds[relative(ownRoot, moduleId)] ?? 0
    return Promise.resolve(files.toSorted((one, other) => of(other) - of(one)))
  }
}
