/** A worker thread that plans one draft if asked, validates it with its plan and posts the result. */
import { parentPort, workerData } from 'node:worker_threads'
import { type PlanJob, validateInline } from './plan-validation.ts'

parentPort?.postMessage(validateInline(workerData as PlanJob))
