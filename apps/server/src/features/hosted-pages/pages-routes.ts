import {
  addToDraft,
  changeDraft,
  deployPages,
  deployTemplate,
  downloadPages,
  getPages,
  listPageFiles,
  previewDraft,
  publishDraft,
  readPageFile,
  removeDraft,
  removePages,
  setLivePages,
  type BlockedAddress,
  type Deployment,
  type Draft,
} from '@astropelago/contract/hosted-pages'
import {
  deploymentsPerHour,
  draftTextMaxBytes,
  pageBytesPerDemoUser,
  zipOverheadBytes,
} from '@astropelago/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Config } from '../../config.ts'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import { hourlyLimit } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import type { RelayAddress } from '../../relay-address.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { Deploying, PagesTarget } from './deploying.ts'
import type { DeployedFile, DeploymentRecord, DeploymentsStore } from './deployments-store.ts'
import type { PageContents } from './page-contents.ts'
import type { Previews } from './previews.ts'
import { readTemplate } from './templates.ts'
import { UploadSlots } from '../../http/upload-slots.ts'
import { zipOf } from './zip-download.ts'
import { contentType } from './unpack/content-types.ts'

const draftChangesPerHour = 1200
const previewsPerHour = 600
const downloadsPerHour = 60
/** What one answer lists. */
const blockedMax = 50

export async function pagesRoutes(
  app: FastifyInstance,
  {
    serve,
    store,
    deploying,
    contents,
    previews,
    config,
    clock,
    cluster,
    relayAddress,
    findHosted,
  }: {
    readonly serve: Serve
    readonly store: DeploymentsStore
    readonly deploying: Deploying
    readonly contents: PageContents
    readonly previews: Pick<Previews, 'makeTicket'>
    readonly config: Config
    readonly clock: Clock
    readonly cluster: Pick<Cluster, 'size'>
    readonly relayAddress: RelayAddress
    readonly findHosted: IslandsFeature['findHosted']
  },
) {
  const { perIsland, totalBytes } = config.pages
  const isOn = config.hostsPages && relayAddress('') !== null
  const limitDeployments = hourlyLimit(deploymentsPerHour, cluster.size)
  const limitDraftChanges = hourlyLimit(draftChangesPerHour, cluster.size)
  const limitPreviews = hourlyLimit(previewsPerHour, cluster.size)
  const limitDownloads = hourlyLimit(downloadsPerHour, cluster.size)
  const slots = new UploadSlots()

  const limitsOf = ({ isDemo }: Pick<UserCaller, 'isDemo'>) =>
    isDemo
      ? {
          ...perIsland,
          bytes: Math.min(perIsland.bytes, pageBytesPerDemoUser),
          fileBytes: Math.min(perIsland.fileBytes, pageBytesPerDemoUser),
        }
      : perIsland
  /** @throws DomainError `not_found` */
  const findTarget = async (user: UserCaller, id: string) => {
    const { key, slug, name, isHostTrusted } = await findHosted(user.userKey, id)
    const isTrusted = isHostTrusted || user.isOperator
    const hosts = [hostOf(slug)]
    return { key, name, isTrusted, allowsHttps: isHostTrusted, hosts, limits: limitsOf(user) }
  }
  const hostOf = (slug: string) => new URL(relayAddress(slug) ?? config.publicUrl).host
  const requireOn = () => {
    if (!isOn) throw new DomainError('pages_off')
  }
  const refuseFull = async () => {
    requireOn()
    if ((await store.totalBytes()) >= totalBytes) throw new DomainError('pages_full')
  }

  const present = async (record: DeploymentRecord): Promise<Deployment> =>
    presentDeployment(record, await store.listBlocked(record.key, blockedMax))
  const findDeployment = async (islandKey: number, of: string) => {
    const found = (await store.list(islandKey)).find(({ id, state }) =>
      of === 'draft' ? state === 'draft' : id === of && state === 'published',
    )
    if (found === undefined) throw new DomainError('not_found')
    return found
  }
  const readDraft = async (islandKey: number): Promise<Draft | null> => {
    const draft = (await store.list(islandKey)).find(({ state }) => state === 'draft')
    if (draft === undefined) return null
    const files = await store.listFiles(draft.key)
    return { changedAt: isoTime(draft.changedMs), files: files.map(presentFile) }
  }
  const answerDraft = async (islandKey: number) => {
    const body = await readDraft(islandKey)
    // Another tab may have published or discarded it meanwhile.
    if (body === null) throw new DomainError('not_found')
    return { status: 200, body } as const
  }
  const deployed = async (
    target: PagesTarget,
    request: FastifyRequest,
    work: ReturnType<Deploying['deployZip']>,
  ) => {
    const { id, leftOut } = await work
    request.log.info({ event: 'pages_deployed', islandKey: target.key }, 'pages deployed')
    const deployment = await present(await findDeployment(target.key, id))
    return {
      status: 201,
      body: { deployment, leftOut: [...leftOut].slice(0, blockedMax) },
    } as const
  }

  serve(app, getPages, async ({ user, params }) => {
    const { slug, key } = await findHosted(user.userKey, params.id)
    const records = await store.list(key)
    const published = records.filter(({ state }) => state === 'published')
    const body = {
      address: isOn ? relayAddress(slug) : null,
      deployments: await Promise.all(published.map(present)),
      draft: await readDraft(key),
      limits: limitsOf(user),
    }
    return { status: 200, body }
  })

  // In its own scope: no other route accepts zips.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      deployPages.bodyType,
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, body: Buffer) => body,
    )
    // After the caller is known, and before the body is read.
    scope.addHook('preParsing', refuseFull)
    const upload = {
      bodyLimit: perIsland.bytes + zipOverheadBytes,
      refuseCaller: ({ user }: { readonly user: UserCaller }, reply: FastifyReply) => {
        requireOn()
        limitDeployments(user.userKey)
        slots.take(reply.raw, user.userKey)
      },
    }
    serve(
      scope,
      deployPages,
      async ({ user, params, body, request }) => {
        const target = await findTarget(user, params.id)
        return await deployed(target, request, deploying.deployZip(target, bufferOf(body)))
      },
      upload,
    )
    serve(
      scope,
      addToDraft,
      async ({ user, params, body }) => {
        const target = await findTarget(user, params.id)
        await deploying.addToDraft(target, bufferOf(body))
        return await answerDraft(target.key)
      },
      upload,
    )
  })

  serve(app, deployTemplate, async ({ user, params, body, request }) => {
    requireOn()
    limitDeployments(user.userKey)
    const target = await findTarget(user, params.id)
    const work = deploying.deployTemplate(target, await readTemplate(body.template, target.name))
    return await deployed(target, request, work)
  })

  serve(app, setLivePages, async ({ user, params, body, request }) => {
    limitDeployments(user.userKey)
    const { key } = await findHosted(user.userKey, params.id)
    if (!(await store.setLive(key, body.deployment, clock()))) throw new DomainError('not_found')
    request.log.info({ event: 'pages_brought_back', islandKey: key }, 'pages brought back')
    return { status: 200, body: await present(await findDeployment(key, body.deployment)) }
  })

  serve(app, removePages, async ({ user, params, request }) => {
    limitDeployments(user.userKey)
    const { key } = await findHosted(user.userKey, params.id)
    await store.removeAll(key)
    request.log.info({ event: 'pages_removed', islandKey: key }, 'pages removed')
    return { status: 204 }
  })

  serve(app, downloadPages, async ({ user, params, query, reply }) => {
    limitDownloads(user.userKey)
    const { key, slug } = await findHosted(user.userKey, params.id)
    const { key: deploymentKey } = await findDeployment(key, query.of)
    const files = await store.listFiles(deploymentKey)
    reply
      .type('application/zip')
      .header('content-disposition', `attachment; filename="${slug}.zip"`)
      .send(
        zipOf(files, (hash, bytes) =>
          contents.stream({ islandKey: key, hash, isGzip: false }, { from: 0, to: bytes - 1 }),
        ),
      )
    return undefined
  })

  serve(app, listPageFiles, async ({ user, params, query }) => {
    const { key } = await findHosted(user.userKey, params.id)
    const { key: deploymentKey } = await findDeployment(key, query.of)
    return { status: 200, body: (await store.listFiles(deploymentKey)).map(presentFile) }
  })

  serve(app, readPageFile, async ({ user, params, query }) => {
    const { key: islandKey } = await findHosted(user.userKey, params.id)
    const { key } = await findDeployment(islandKey, query.of)
    const file = (await store.listFiles(key)).find(({ path }) => path === query.path)
    if (file === undefined || !presentFile(file).isText) throw new DomainError('not_found')
    const bytes = await contents.read({ islandKey, hash: file.hash, isGzip: false }, file.bytes)
    return { status: 200, body: { text: Buffer.from(bytes).toString() } }
  })

  serve(
    app,
    changeDraft,
    async ({ user, params, body }) => {
      requireOn()
      limitDraftChanges(user.userKey)
      const target = await findTarget(user, params.id)
      await deploying.changeDraft(target, body.changes)
      return await answerDraft(target.key)
    },
    { bodyLimit: 2 * draftTextMaxBytes },
  )

  serve(app, removeDraft, async ({ user, params }) => {
    const { key } = await findHosted(user.userKey, params.id)
    await store.removeDraft(key)
    return { status: 204 }
  })

  serve(app, publishDraft, async ({ user, params, request }) => {
    requireOn()
    limitDeployments(user.userKey)
    const target = await findTarget(user, params.id)
    return await deployed(target, request, deploying.publishDraft(target))
  })

  serve(app, previewDraft, async ({ user, params, request }) => {
    requireOn()
    limitPreviews(user.userKey)
    const { key } = await findHosted(user.userKey, params.id)
    await findDeployment(key, 'draft')
    return {
      status: 201,
      body: { address: await previews.makeTicket({ islandKey: key }, request) },
    }
  })
}

function presentDeployment(
  record: DeploymentRecord,
  blocked: readonly BlockedAddress[],
): Deployment {
  const { id, createdMs, source, fileCount, bytes, isLive, suspicion, passedMs } = record
  return {
    id,
    createdAt: isoTime(createdMs),
    source,
    fileCount,
    bytes,
    isLive,
    blocked: [...blocked],
    isInReview: suspicion !== null && passedMs === null,
  }
}

function presentFile({ path, bytes }: DeployedFile) {
  const isText = /^text\/|javascript|json|xml/.test(contentType(path))
  return { path, bytes, isText: isText && bytes <= draftTextMaxBytes }
}

function bufferOf(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.length)
}
