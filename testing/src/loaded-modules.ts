import { registerHooks } from 'node:module'

/* Preloaded into a program (`node --import`): it says each module of OpenTelemetry that the program loads. */

registerHooks({
  load(url, context, next) {
    if (url.includes('@opentelemetry')) process.stderr.write(`loads ${url}\n`)
    return next(url, context)
  },
})
