import { commands } from 'vitest/browser'

declare module 'vitest/browser' {
  interface BrowserCommands {
    takeClipboard(): Promise<void>
    leaveClipboard(): Promise<void>
  }
}

let isTaken = false

/**
 * The pages of a browser have one clipboard: a test that writes to it has it to itself until it is over,
 * and others that want to write wait. Called anew by each file's set-up, as `stayOnPage`.
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
