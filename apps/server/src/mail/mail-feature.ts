import { testMail } from '@astropelago/contract/operator-mail'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { FeatureBase } from '../feature-base.ts'
import type { Serve } from '../http/serve-route.ts'
import { createMailLimits } from './mail-limits.ts'
import { mailProblem } from './mail-problem.ts'
import { createMailer, noMailer } from './mailer.ts'

export function mailFeature(
  { clock, log, cluster }: Pick<FeatureBase, 'clock' | 'log' | 'cluster'>,
  { mail, publicUrl, siteName }: Pick<Config, 'mail' | 'publicUrl' | 'siteName'>,
) {
  const mailer = mail === undefined ? noMailer : createMailer(mail, { clock, log })
  const sendTest = async (address: string) => {
    if (mail === undefined) {
      return {
        isSent: false,
        note: 'This server sends no e-mail: SMTP_URL and MAIL_FROM are not set.',
      }
    }
    try {
      const response = await mailer.sendNow({
        kind: 'test',
        to: address,
        subject: `Test · ${siteName}`,
        text: `Mails from ${publicUrl} arrive here. The person who runs that site sent this test mail.\n`,
      })
      const note = `${mail.host} took the mail and said: ${response.trim()}`
      return { isSent: true, note: `${note}\nNow look into the mailbox, and into its spam folder.` }
    } catch (error) {
      if (!(error instanceof Error)) throw error
      return { isSent: false, note: mailProblem(error, mail, address) }
    }
  }
  return {
    mailer,
    mailLimits: createMailLimits(cluster.size),
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      serve(
        app,
        testMail,
        async ({ body: { address } }) => ({ status: 200, body: await sendTest(address) }),
        // The address stays out of the audit log.
        { audit: () => ({ action: 'mail.tested' }) },
      ),
  }
}
