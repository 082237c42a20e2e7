import type { Context } from '../../context.ts'
import { orNotFound } from '../../platform/lib/errors.ts'
import type { Http } from '../../platform/http/http.ts'
import { AGENT_FOLDERS, type AgentFolders, readBundleFile, readInstaller } from './agent-files.ts'

/** Serves `/agent/install.sh` and the agent's bundle with its hash. */
export function registerAgentInstaller(
  http: Pick<Http, 'app'>,
  context: Pick<Context, 'settings'>,
  folders: AgentFolders = AGENT_FOLDERS,
): void {
  http.app.get<{ Params: { name: string } }>('/agent/:name', async (request, reply) => {
    const { name } = request.params
    reply.header('cache-control', 'no-cache')
    if (name === 'install.sh') {
      const script = orNotFound(await readInstaller(folders, context.settings.streamUrl))
      return reply.type('text/x-shellscript; charset=utf-8').send(script)
    }
    const bytes = orNotFound(await readBundleFile(folders, name))
    const type = name.endsWith('.sha256') ? 'text/plain; charset=utf-8' : 'text/javascript; charset=utf-8'
    return reply.type(type).send(bytes)
  })
}
