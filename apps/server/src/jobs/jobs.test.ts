import { readOperatorOverview, runJob } from '@floorcast/contract/operator.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { newOperator } from '@floorcast/testing/test-operators.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, it, onTestFinished } from 'vitest'
import { registerOperators } from '../features/operators/operators-routes.ts'
import { type Job, openJobs } from './jobs.ts'

const server = await testServer({ hasOwnDatabase: true, features: [registerOperators] })

it('a job that an operator asks for while its server looks whether it is due runs after that look', async () => {
  const { token } = await newOperator(server)
  const runs: boolean[] = []
  let looks = 0
  const secondLook = Promise.withResolvers<boolean>()
  const stop = openJobs(server.context, 'server one').start({
    name: 'backup',
    succeedsWithinMs: null,
    lookMs: 20,
    nextAt: now => new Date(now.getTime() + 86_400_000),
    isDue: () => {
      looks += 1
      return looks === 2 ? secondLook.promise : Promise.resolve(false)
    },
    run: ({ isForced }) => {
      runs.push(isForced)
      return Promise.resolve('done')
    },
    onFailure: () => undefined,
  })
  onTestFinished(stop)
  const heard = Promise.withResolvers<void>()
  onTestFinished(server.context.bus.listen('job', { heard: () => heard.resolve(), missed: () => undefined }))
  await eventually(() => expect(looks).toBe(2))
  expect(await server.call(runJob, { token, params: { name: 'backup' } })).toMatchObject({ code: 200 })
  await heard.promise
  expect(runs).toEqual([])
  secondLook.resolve(false)
  await eventually(() => expect(runs).toEqual([true]))
})

/** A job that runs at the start of its server, and when an operator asks for it. */
const jobOf = (name: Job['name'], run: Job['run']): Job => ({
  name,
  succeedsWithinMs: null,
  nextAt: now => new Date(now.getTime() + 86_400_000),
  run,
  onFailure: () => undefined,
})

it('a run that another server is at is skipped, and run now goes to the server that has done the job', async () => {
  const { token } = await newOperator(server)
  const runs: [server: string, isForced: boolean][] = []
  const start = (on: string, outcome: 'done' | 'skipped') =>
    openJobs(server.context, on).start(
      jobOf('maintenance', ({ isForced }) => {
        runs.push([on, isForced])
        return Promise.resolve(outcome)
      }),
    )
  const outcomes = async () =>
    (await server.call(readOperatorOverview, { token })).jobs
      .filter(({ name }) => name === 'maintenance')
      .map(job => [job.server, job.outcome, job.isRunning])
  onTestFinished(start('server one', 'done'))
  await eventually(async () => expect(await outcomes()).toEqual([['server one', 'done', false]]))
  // It ends later, so it has had the job last.
  server.clock.now = new Date(server.clock.now.getTime() + 1000)
  onTestFinished(start('server two', 'skipped'))
  await eventually(async () =>
    expect(await outcomes()).toEqual([
      ['server one', 'done', false],
      ['server two', 'skipped', false],
    ]),
  )
  await server.call(runJob, { token, params: { name: 'maintenance' } })
  await eventually(() =>
    expect(runs).toEqual([
      ['server one', false],
      ['server two', false],
      ['server one', true],
    ]),
  )
})

it('a job that its server does not have any more is not seen there, and no operator runs it', async () => {
  const { token } = await newOperator(server)
  const jobs = openJobs(server.context, 'server one')
  const samples = async () =>
    (await server.call(readOperatorOverview, { token })).jobs.filter(({ name }) => name === 'samples')
  const stop = jobs.start(jobOf('samples', () => Promise.resolve('done')))
  await eventually(async () => expect(await samples()).toMatchObject([{ outcome: 'done' }]))
  await stop()
  await jobs.drop('samples')
  expect(await samples()).toEqual([])
  expect((await server.ask(runJob, { token, params: { name: 'samples' } })).statusCode).toBe(404)
})
