import { onTestFinished } from 'vitest'
import { startMailServer, type MailServer } from './mail-server.ts'

/** A real mail server for one test. */
export async function openSmtpInbox(
  options?: Parameters<typeof startMailServer>[0],
): Promise<MailServer> {
  const server = await startMailServer(options)
  onTestFinished(server.stop)
  return server
}
