import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '@floorcast/server/platform/settings/settings.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { requireProgram } from '@floorcast/testing/debian-program.ts'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Service } from 'kubernetes-models/v1/Service'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { release } from '@floorcast/contract/release.ts'
import { ownRoot } from '../../tools/source-files.ts'
import { readImageFile } from './server-image.ts'

/* The chart for Kubernetes by Go's templates, as Helm renders it. Neither Helm nor Kubernetes is tried. */

requireProgram('go', 'golang-go', 'golang-github-masterminds-sprig-dev', 'golang-gopkg-yaml.v3-dev')

const folder = mkdtempSync(join(tmpdir(), 'floorcast-chart-'))
atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))
const image = readImageFile()
const IMAGE = { repository: 'registry.example/floorcast' }

interface Manifest {
  kind: string
  metadata: { name: string }
}

function render(values: unknown): { objects: Manifest[]; said: string } {
  const file = join(folder, 'values.json')
  writeFileSync(file, JSON.stringify(values))
  const program = join(ownRoot, 'testing/src/helm/render.go')
  const { PATH } = process.env
  const env = {
    PATH,
    HOME: folder,
    GOPATH: '/usr/share/gocode',
    GO111MODULE: 'off',
    GOCACHE: join(folder, 'go'),
  }
  const args = ['run', program, join(ownRoot, 'ops/helm/floorcast'), file]
  const { stdout, stderr, status } = spawnSync('go', args, { env, encoding: 'utf8' })
  if (status !== 0) return { objects: [], said: stderr }
  const objects = parseAllDocuments(stdout, { version: '1.1' }).flatMap(document => {
    expect('errors' in document ? document.errors : []).toEqual([])
    const object = 'toJS' in document ? (document.toJS() as Manifest | null) : null
    return object ?? []
  })
  return { objects, said: stdout }
}

const MODELS = { Deployment, Ingress, PodDisruptionBudget, Service }

/** @throws Error for what the schema of Kubernetes does not know */
function validate(object: Manifest): void {
  const Model = MODELS[object.kind as keyof typeof MODELS]
  new Model(object).validate()
}

const deploymentsOf = (objects: readonly Manifest[]) =>
  objects.filter(({ kind }) => kind === 'Deployment') as unknown as Deployment[]
const containerOf = (deployment: Deployment | undefined) => deployment?.spec?.template.spec?.containers[0]

test('the chart has servers for consoles and for devices, by the schemas of Kubernetes, with settings that the server reads', () => {
  const { objects, said } = render({ image: IMAGE, settings: { MAIL_FROM: 'shops@floorcast.example' } })
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted(), said).toEqual([
    'Deployment shops-api',
    'Deployment shops-stream',
    'Ingress shops',
    'PodDisruptionBudget shops-api',
    'PodDisruptionBudget shops-stream',
    'Service shops-api',
    'Service shops-stream',
  ])
  for (const object of objects) validate(object)
  for (const [index, role] of ['api', 'stream'].entries()) {
    const deployment = deploymentsOf(objects)[index]
    const container = containerOf(deployment)
    expect(container?.image).toBe(`registry.example/floorcast:${release.version}`)
    const given = container?.env?.map(({ name, value = '' }): [string, string] => [name, value]) ?? []
    const secret = {
      SMTP_URL: 'smtp://mail.example',
      DATABASE_URL: 'postgres://floorcast@db.example/floorcast',
    }
    const settings = readSettings({ ...image.environment, ...secret, ...Object.fromEntries(given) })
    expect(settings).toMatchObject({
      role,
      publicUrl: 'https://floorcast.example',
      streamUrl: 'https://stream.floorcast.example',
    })
    expect(settings.s3).toMatchObject({ bucket: 'floorcast', region: 'us-east-1' })
    const grace = deployment?.spec?.template.spec?.terminationGracePeriodSeconds ?? 0
    expect(grace).toBeGreaterThanOrEqual(settings.drainSeconds + 20)
    const mounts = new Map(container?.volumeMounts?.map(({ name, mountPath }) => [name, mountPath]))
    expect([...mounts.values()]).toEqual([image.volume, '/run/floorcast', '/tmp'])
    expect(settings.secretKeyFile).toBe(`${mounts.get('key')}/secret.key`)
    expect(container?.ports?.map(({ containerPort }) => String(containerPort))).toEqual([image.port])
    // It is unready for DRAIN_SECONDS, and is left out by then.
    const { periodSeconds = 0, failureThreshold = 0, httpGet } = container?.readinessProbe ?? {}
    expect(periodSeconds * failureThreshold).toBeLessThan(settings.drainSeconds)
    expect(image.healthCheck.at(-1)).toContain(httpGet?.path)
    expect(deployment?.spec?.template.spec?.securityContext).toMatchObject({
      runAsUser: Number(image.user.split(':')[0]),
    })
  }
})

test('the chart backs up into a claim, and says what it lacks', () => {
  const { objects, said } = render({ image: IMAGE, backup: { claim: 'backups' } })
  for (const object of objects) validate(object)
  const [api, stream] = deploymentsOf(objects).map(containerOf)
  const targetOf = (container: typeof api) =>
    container?.env?.find(({ name }) => name === 'BACKUP_TARGET')?.value
  expect([targetOf(api), targetOf(stream)], said).toEqual(['/backup', undefined])
  expect(api?.volumeMounts).toContainEqual({ name: 'backup', mountPath: '/backup' })
  const wrong = render({ image: IMAGE, api: { replicas: 'many' } })
  expect(() => wrong.objects.forEach(validate)).toThrow(/replicas/)
  expect(render({}).said).toContain('image.repository is the image that you have built and pushed')
  expect(render({ image: IMAGE, streamUrl: 'https://floorcast.example' }).said).toContain(
    'streamUrl needs a name of its own',
  )
  const chart = readFileSync(join(ownRoot, 'ops/helm/floorcast/Chart.yaml'), 'utf8')
  expect(chart).toContain(`\nappVersion: ${release.version}\n`)
})
