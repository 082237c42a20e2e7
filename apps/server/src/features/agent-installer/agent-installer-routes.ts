import { installerPath } from '@floorcast/contract/installer-path.ts'
import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { orNotFound } from '../../platform/lib/errors.ts'
import type { Http } from '../../platform/http/http.ts'
import { isByClient } from '../../platform/settings/address-settings.ts'
import { AGENT_FOLDERS, type AgentFolders, readBundleFile, readInstaller } from './agent-files.ts'

/** Serves `/agent/install.sh`, the same in a language, and the agent's bundle with its hash. */
export function registerAgentInstaller(
  http: Pick<Http, 'app'>,
  context: Pick<Context, 'settings'>,
  folders: AgentFolders = AGENT_FOLDERS,
): void {
  const sendInstaller = async (reply: FastifyReply, language: string) => {
    reply.header('cache-control', 'no-cache')
    // The install line names the address of a client: the script is the same for all.
    const { streamUrl } = context.settings
    const serverUrl = isByClient(streamUrl) ? '' : streamUrl
    const script = orNotFound(await readInstaller(folders, { serverUrl, language }))
    return reply.type('text/x-shellscript; charset=utf-8').send(script)
  }
  http.app.get(installerPath('en'), async (_, reply) => sendInstaller(reply, 'en'))
  http.app.get<{ Params: { language: string } }>(installerPath(':language'), async ({ params }, reply) =>
    sendInstaller(reply, params.language),
  )
  http.app.get<{ Params: { name: string } }>('/agent/:name', async (request, reply) => {
    const { name } = request.params
    reply.header('cache-control', 'no-cache')
    const bytes = orNotFound(await readBundleFile(folders, name))
    const type = name.endsWith('.sha256') ? 'text/plain; charset=utf-8' : 'text/javascript; charset=utf-8'
    return reply.type(type).send(bytes)
  })
}
