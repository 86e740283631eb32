import { testMail } from '@astropelago/contract/operator-mail'
import type { FastifyInstance } from 'fastify'
import type { MailConfig } from '../config.ts'
import type { Serve } from '../http/serve-route.ts'
import { mailProblem } from './mail-problem.ts'
import type { Mailer } from './mailer.ts'

interface MailRoutesOptions {
  readonly serve: Serve
  readonly mailer: Pick<Mailer, 'sendNow'>
  /** Undefined if this server sends no mail. */
  readonly mail: MailConfig | undefined
  readonly publicUrl: string
  readonly siteName: string
}

/** Lets operators send a test mail. */
export async function mailRoutes(
  app: FastifyInstance,
  { serve, mailer, mail, publicUrl, siteName }: MailRoutesOptions,
) {
  const send = async (address: string) => {
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
  serve(
    app,
    testMail,
    async ({ body: { address } }) => ({ status: 200, body: await send(address) }),
    // The address stays out of the audit log.
    { audit: () => ({ action: 'mail.tested' }) },
  )
}
