import { commands } from 'vitest/browser'

declare module 'vitest/browser' {
  interface BrowserCommands {
    takeClipboard(): Promise<void>
    leaveClipboard(): Promise<void>
  }
}

let isTaken = false

/**
 * All pages of a browser share one clipboard. A test that writes to it holds it until the test ends, and
 * other tests wait to write. Like `stayOnPage`, each file's setup calls this again.
 */
export function shareClipboard(): void {
  const { clipboard } = navigator
  clipboard.writeText = async (text) => {
    if (!isTaken) await commands.takeClipboard()
    isTaken = true
    await Clipboard.prototype.writeText.call(clipboard, text)
  }
}

export async function leaveClipboard(): Promise<void> {
  if (isTaken) await commands.leaveClipboard()
  isTaken = false
}
