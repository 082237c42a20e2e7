import type { Manifest, ManifestFile } from '@floorcast/contract/manifest.ts'
import type { Answer, TestedServer } from './tested-server.ts'

/** The findings that the checks of one run share: those after the manifest need what it names. */
export interface Findings {
  manifest?: Manifest
  etag?: string
  file?: Pick<ManifestFile, 'mediaUid' | 'sha256' | 'sizeBytes'> | undefined
}

export interface ServerRun {
  server: TestedServer
  found: Findings
}

/** A rule of docs/device-protocol.md. `test` throws what is wrong, and returns why it could not be tested. */
export interface ServerCheck {
  rule: string
  test: (run: ServerRun) => Promise<string | undefined | void>
}

export function must(isTrue: boolean, wrong: string): asserts isTrue {
  if (!isTrue) throw new Error(wrong)
}
export function mustBe(answer: Answer, status: number, code?: string): void {
  const got = (answer.json as { code?: unknown } | undefined)?.code
  must(
    answer.status === status,
    `${answer.status} instead of ${status}: ${answer.bytes.toString().slice(0, 200)}`,
  )
  must(code === undefined || got === code, `the code '${String(got)}' instead of '${code}'`)
}
interface Schema<T> {
  safeParse: (value: unknown) => { data?: T; error?: { issues: { path: PropertyKey[]; message: string }[] } }
}
export function read<T>(schema: Schema<T>, value: unknown, what: string): T {
  const { data, error } = schema.safeParse(value)
  const [issue] = error?.issues ?? []
  if (!data) throw new Error(`${what}: ${issue?.path.join('.')} ${issue?.message}`)
  return data
}
