import { onTestFinished } from 'vitest'
import { startMailServer, type MailServer, type ReceivedMail } from './mail-server.ts'

/** A real mail server for one test. */
export async function openSmtpInbox(
  options?: Parameters<typeof startMailServer>[0],
): Promise<MailServer> {
  const server = await startMailServer(options)
  onTestFinished(server.stop)
  return server
}

/** The mails to addresses of one domain, on a server that takes those of other tests too. */
export function mailsOf(server: MailServer, domain: string) {
  const mails = (): readonly ReceivedMail[] =>
    server.mails.filter(({ to }) => to.some((address) => address.endsWith(`@${domain}`)))
  return {
    mails,
    /** Resolves when this many have arrived. */
    received: async (count: number) => {
      while (mails().length < count) await server.received(server.mails.length + 1)
      return mails()
    },
  }
}
