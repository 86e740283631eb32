import { onTestFinished } from 'vitest'
import { startMailServer, type MailServer } from './mail-server.ts'

/** A real mail server for one test. */
export async function openSmtpInbox(): Promise<MailServer> {
  const server = await startMailServer()
  onTestFinished(server.stop)
  return server
}
