import { importChecks as importRoute, importUserChecks } from '@astropelago/contract/check-import'
import { checkImportMaxBytes } from '@astropelago/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { auditUser, userSubject } from '../../../audit-log.ts'
import type { Config } from '../../../config.ts'
import { DomainError } from '../../../domain-error.ts'
import type { FeatureBase } from '../../../feature-base.ts'
import type { UserCaller } from '../../../http/callers.ts'
import { hourlyLimit } from '../../../http/rate-limits.ts'
import { refuseDemo } from '../../../http/refuse-demo.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { UploadSlots } from '../../../http/upload-slots.ts'
import type { ChecksFeature } from '../public.ts'
import { importChecks, type ImportChecksParts } from './import-checks.ts'
import { ImportThread } from './import-thread.ts'
import { judgeTarget } from './judge-target.ts'
import { sqlCheckImportsStore } from './sql-check-imports-store.ts'

const importsPerHour = 60
/** What the command line has read: up to 20,000 entries. */
const entriesMaxBytes = 16 * 1024 * 1024

/** Brings checks over from Uptime Kuma and Healthchecks. */
export function checkImportFeature(
  { storage, cluster, clock, audit }: Pick<FeatureBase, 'storage' | 'cluster' | 'clock' | 'audit'>,
  {
    config,
    checks,
    ...given
  }: Pick<ImportChecksParts, 'channels' | 'statusPages'> & {
    readonly config: Pick<Config, 'checksPerUser' | 'allowsPrivateTargets'>
    readonly checks: Pick<ChecksFeature, 'isRefused' | 'maxChecks'>
  },
) {
  const { checksPerUser: checksMax } = config
  const store = sqlCheckImportsStore(storage, { maxChecks: checks.maxChecks })
  const judge = judgeTarget(checks.isRefused, config.allowsPrivateTargets)
  const parts = { ...given, store, judge, clock }
  const limitImports = hourlyLimit(importsPerHour, cluster.size)
  const slots = new UploadSlots()
  const thread = new ImportThread()

  return {
    routes: async (
      app: FastifyInstance,
      {
        serve,
        findUserKey,
      }: {
        readonly serve: Serve
        readonly findUserKey: (username: string) => Promise<number | undefined>
      },
    ) => {
      app.addHook('onClose', () => thread.close())

      serve(
        app,
        importUserChecks,
        async ({ params: { username }, query, body: { entries } }) => {
          const userKey = await findUserKey(username)
          if (userKey === undefined) throw new DomainError('not_found')
          const isDryRun = query.dryRun === 'true'
          const wanted = { userKey, checksMax, entries, isDryRun }
          return { status: 200, body: await importChecks(parts, wanted) }
        },
        {
          bodyLimit: entriesMaxBytes,
          audit: ({ params: { username }, query }) => ({
            action: 'checks.imported',
            subject: userSubject(username),
            details: { isDryRun: query.dryRun === 'true' },
          }),
        },
      )

      // In its own scope: no other route accepts such bodies.
      await app.register(async (scope) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser(
          importRoute.bodyType,
          { parseAs: 'buffer' },
          async (_request: FastifyRequest, body: Buffer) => body,
        )
        serve(
          scope,
          importRoute,
          async ({ user, query, body, request }) => {
            const { userKey } = user
            const entries = await thread.read(query.from, body)
            const isDryRun = query.dryRun === 'true'
            const wanted = { userKey, checksMax, entries, isDryRun }
            const report = await importChecks(parts, wanted)
            if (!isDryRun) {
              const { created, updated } = report
              const details = { from: query.from, created, updated }
              await auditUser(audit, user, 'checks.imported', userSubject(user.username), details)
              request.log.info({ event: 'checks_imported', ...details }, 'checks imported')
            }
            return { status: 200, body: report }
          },
          {
            bodyLimit: checkImportMaxBytes,
            refuseCaller: ({ user }: { readonly user: UserCaller }, reply: FastifyReply) => {
              refuseDemo({ user })
              limitImports(user.userKey)
              slots.take(reply.raw, user.userKey)
            },
          },
        )
      })
    },
  }
}
