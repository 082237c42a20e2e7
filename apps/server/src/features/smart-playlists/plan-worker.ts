/** A worker thread that judges one draft with its plan, or plans it first, and posts what came of it. */
import { parentPort, workerData } from 'node:worker_threads'
import { judgeDraft, type PlanWork } from './plan-work.ts'

parentPort?.postMessage(judgeDraft(workerData as PlanWork))
