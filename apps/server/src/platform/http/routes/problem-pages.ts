import { type ProblemCode, problemCodes, problemStatuses } from '@floorcast/contract/problem-codes.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ProblemError } from '../../lib/errors.ts'
import { problemTexts } from '../../lib/problem-texts.ts'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** The texts mark code by backticks. */
const toHtml = (text: string) =>
  text.replaceAll(/[&<>"]/g, sign => ESCAPES[sign] ?? '').replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const STYLE = `body{font:16px/1.6 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}
h1{font-size:1.5rem}code{font-family:ui-monospace,monospace}dt{margin-top:1.25rem;font-weight:600}dd{margin:0}`

const page = (title: string, content: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · Floorcast API</title><style>${STYLE}</style>
<h1>${title}</h1>
${content}
</html>
`

function pageOf(code: ProblemCode): string {
  const { means, remedy } = problemTexts[code]
  return page(
    code,
    `<p>HTTP ${problemStatuses[code]}. ${toHtml(means)}</p>
<h2>What to do</h2>
<p>${toHtml(remedy)}</p>
<p><a href="/problems">All codes</a></p>`,
  )
}

const isCode = (name: string): name is ProblemCode => Object.hasOwn(problemStatuses, name)

const listOf = () =>
  page(
    'Codes of errors',
    `<dl>${problemCodes
      .map(
        code =>
          `<dt><a href="/problems/${code}"><code>${code}</code></a> ${problemStatuses[code]}</dt><dd>${toHtml(problemTexts[code].means)}</dd>`,
      )
      .join('\n')}</dl>`,
  )

const send = (reply: FastifyReply, html: string) =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'public, max-age=86400').send(html)

/** Serves a page for each code of an error: what it means, and what to do. The `type` of an error leads to it. */
export function serveProblemPages(app: FastifyInstance): void {
  app.get('/problems', (_, reply) => send(reply, listOf()))
  app.get<{ Params: { code: string } }>('/problems/:code', (request, reply) => {
    const { code } = request.params
    if (!isCode(code))
      throw new ProblemError('no-such-call', { detail: 'No error has this code: /problems lists all.' })
    return send(reply, pageOf(code))
  })
}
