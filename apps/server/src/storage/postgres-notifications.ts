import { Client, type ClientConfig } from 'pg'

/** The channel on which servers wake one another. */
export const notifyChannel = 'astropelago'
const retryMs = 1000

/**
 * Listens on a connection of its own, which is reopened whenever it breaks. Notifications only save time: a
 * lost one does no harm.
 * @returns a function that stops listening
 */
export async function listen(
  settings: ClientConfig,
  onNotification: () => void,
): Promise<() => Promise<void>> {
  let isEnded = false
  let client: Client | undefined
  let retry: NodeJS.Timeout | undefined
  const open = async () => {
    const opened = new Client(settings)
    client = opened
    const again = () => {
      if (client !== opened || isEnded) return
      client = undefined
      opened.end().catch(() => undefined)
      retry = setTimeout(() => void open(), retryMs)
      retry.unref()
    }
    opened.on('error', again)
    opened.on('end', again)
    opened.on('notification', onNotification)
    try {
      await opened.connect()
      await opened.query(`listen ${notifyChannel}`)
    } catch {
      again()
    }
  }
  await open()
  return async () => {
    isEnded = true
    clearTimeout(retry)
    await client?.end().catch(() => undefined)
  }
}
