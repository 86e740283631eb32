import { listGuides, readGuide } from '@astropelago/contract/guides'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { readBuildSettings } from '../../http/build-settings.ts'
import type { Serve } from '../../http/serve-route.ts'
import { GuidesFolder } from './guides-folder.ts'

/** Guides that the operator adds to those of the web app's build. */
export async function guidesFeature(
  { clock, log }: Pick<FeatureBase, 'clock' | 'log'>,
  {
    config: { guidesDir },
    webDir,
  }: {
    readonly config: Pick<Config, 'guidesDir'>
    /** The web app's build, which names the Library's own guides. */
    readonly webDir: string | undefined
  },
) {
  const builtIn = webDir === undefined ? [] : (await readBuildSettings(webDir)).guides
  const folder =
    guidesDir === undefined
      ? undefined
      : new GuidesFolder({ folder: guidesDir, builtIn, clock, log })
  const read = async () => (await folder?.read()) ?? []
  // Logs faults at the start.
  await read()

  return {
    listNames: async () => [...builtIn, ...(await read()).map(({ name }) => name)],
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
      serve(app, listGuides, async () => ({
        status: 200,
        body: (await read()).map(({ name, title, summary }) => ({ name, title, summary })),
      }))

      serve(app, readGuide, async ({ params: { name } }) => {
        const guide = (await read()).find((one) => one.name === name)
        if (guide === undefined) throw new DomainError('not_found')
        return { status: 200, body: guide }
      })
    },
  }
}
