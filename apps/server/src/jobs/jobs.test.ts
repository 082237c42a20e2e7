import { runJob } from '@floorcast/contract/operator.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { newOperator } from '@floorcast/testing/test-operators.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, it, onTestFinished } from 'vitest'
import { registerOperators } from '../features/operators/operators-routes.ts'
import { openJobs } from './jobs.ts'

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
    run: ({ isForced }) => Promise.resolve(void runs.push(isForced)),
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
