import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { FeatureBase } from '../feature-base.ts'
import type { Serve } from '../http/serve-route.ts'
import { createMailLimits } from './mail-limits.ts'
import { mailRoutes } from './mail-routes.ts'
import { createMailer, noMailer } from './mailer.ts'

/** E-mail: the way out, how much of it one person may get, and the operators' test mail. */
export function mailFeature(
  { clock, log, cluster }: Pick<FeatureBase, 'clock' | 'log' | 'cluster'>,
  { mail, publicUrl, siteName }: Pick<Config, 'mail' | 'publicUrl' | 'siteName'>,
) {
  const mailer = mail === undefined ? noMailer : createMailer(mail, { clock, log })
  return {
    mailer,
    mailLimits: createMailLimits(cluster.size),
    routes: (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      mailRoutes(app, { serve, mailer, mail, publicUrl, siteName }),
  }
}
