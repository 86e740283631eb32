import { listGuides, readGuide } from '@astropelago/contract/guides'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { Serve } from '../../http/serve-route.ts'
import { GuidesFolder } from './guides-folder.ts'

interface GuidesFeatureOptions {
  /** Undefined where the operator adds none. */
  readonly guidesDir: string | undefined
  /** The names of the Library's own guides. */
  readonly builtIn: readonly string[]
}

/** Guides that the operator adds to those of the web app's build. */
export async function guidesFeature(
  { clock, log }: Pick<FeatureBase, 'clock' | 'log'>,
  { guidesDir, builtIn }: GuidesFeatureOptions,
) {
  const folder =
    guidesDir === undefined
      ? undefined
      : new GuidesFolder({ folder: guidesDir, builtIn, clock, log })
  const read = async () => (await folder?.read()) ?? []
  // The log says at the start what is wrong with them.
  await read()

  return {
    /** Of all guides in the Library. */
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
