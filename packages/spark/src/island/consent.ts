import { agreedPath, enterPath } from '@astropelago/contract/runtime-paths'
import type { Connection } from './connection.ts'
import { showConsentDialog } from './consent-dialog.ts'

interface Asking {
  readonly answer: Promise<boolean>
  readonly settle: (isAgreed: boolean) => void
  isWindowOpen: boolean
  /** Whether the window was answered, in whatever way. */
  isAnswered: boolean
}

/** A call that asks the visitor first who they are, if the server wants to know. */
export type Write = Connection['call']

const askPath = `${enterPath}?ask=1&to=`

/** @param agreed the channel on which the window that asks tells that the visitor agreed */
export function createConsent({
  connection,
  page,
  agreed,
}: {
  readonly connection: Connection
  readonly page: Pick<EventTarget, 'addEventListener'>
  readonly agreed: Pick<EventTarget, 'addEventListener'>
}) {
  let asking: Asking | undefined
  let hasDeclined = false

  const openWindow = () => {
    if (asking !== undefined) asking.isWindowOpen = true
    const popup = window.open(askPath + agreedPath, '_blank', 'popup,width=480,height=680')
    if (popup !== null) return
    // No windows here, as in the browsers of some apps: the visitor comes back to this page.
    const { pathname, search } = window.location
    window.location.assign(askPath + encodeURIComponent(pathname + search))
  }

  /** One dialog, however many ask. @returns whether it is worth trying again */
  const ask = (): Promise<boolean> => {
    if (asking !== undefined) return asking.answer
    const { island, site } = connection.hello() ?? {}
    const { promise: answer, resolve } = Promise.withResolvers<boolean>()
    const closeDialog = showConsentDialog({
      islandName: island?.name ?? '',
      siteName: site?.name ?? '',
      onAgree: openWindow,
      onDecline: () => settle(false),
    })
    const settle = (isAgreed: boolean) => {
      asking = undefined
      hasDeclined = !isAgreed
      closeDialog()
      resolve(isAgreed)
    }
    asking = { answer, settle, isWindowOpen: false, isAnswered: false }
    return answer
  }

  const renewIfAsked = () => {
    if (asking?.isWindowOpen === true && document.visibilityState === 'visible') connection.renew()
  }
  agreed.addEventListener('message', () => {
    if (asking !== undefined) asking.isAnswered = true
    connection.renew()
  })
  // In case the window could not tell.
  page.addEventListener('visibilitychange', renewIfAsked)
  page.addEventListener('focus', renewIfAsked)
  connection.handle({
    hello: ({ user }) => {
      if (asking === undefined || (user === null && !asking.isAnswered)) return
      // After a no, or a demo account’s answer, the server says why it refuses.
      asking.settle(true)
      hasDeclined = user === null
    },
  })

  const write: Write = async (call) => {
    try {
      return await connection.call(call)
    } catch (error) {
      const isAsked = error instanceof Error && 'code' in error && error.code === 'not_agreed'
      // After a no, only what the visitor does asks again, and not what the page does by itself.
      const mayAsk = !hasDeclined || navigator.userActivation.isActive
      if (!isAsked || !mayAsk || !(await ask())) throw error
      return await connection.call(call)
    }
  }

  return { ask, write }
}
