import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { endpoints } from '../packages/contract/src/endpoints.ts'
import { makeClientFiles } from './client-api.ts'
import { COMMENTS_FILE, makeCommentsFile } from './contract-comments.ts'
import { ownRoot } from './source-files.ts'
import { openApiOf } from '../apps/server/src/platform/http/routes/openapi.ts'

/*
 * Validates what the server serves at /openapi.json, by two validators: one by the standard's JSON Schema, one by rules of its own.
 * A warning fails as well. The
 * files that are written from the document and the contract are compared with them.
 */

const url = 'https://floorcast.example'
const document = openApiOf(endpoints, { version: '1.0.0', apiUrl: url, streamUrl: url })

/** Rules of style that the specification's paths do not keep, which is not a fault: docs/specification.md names the paths. */
const OFF = {
  'no-ambiguous-paths': 'off',
  'no-path-trailing-slash': 'off',
  // The messages of the devices' channel: no call of HTTP refers to them.
  'no-unused-components': 'off',
} as const

const schemaResult = await new Validator().validate(structuredClone({ ...document }))
const schemaErrors = schemaResult.valid ? [] : [JSON.stringify(schemaResult.errors, null, 1)]

const config = await createConfig({ extends: ['recommended'], rules: OFF })
const problems = await lintFromString({ source: JSON.stringify(document), config })
const ruleErrors = problems.map(
  ({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`,
)

const writtenFiles = { [COMMENTS_FILE]: makeCommentsFile(), ...(await makeClientFiles()) }
const stale = Object.entries(writtenFiles)
  .filter(([file, text]) => readFileSync(join(ownRoot, file), 'utf8') !== text)
  .map(([file]) => `${file} is not what the contract says: npm run docs:api`)

const faults = [...schemaErrors, ...ruleErrors, ...stale]
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
