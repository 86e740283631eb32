/**
 * Copies text to the clipboard. Over plain http navigator.clipboard is missing, and it can be refused. The
 * old copy command still works there during a click.
 * @returns whether it worked
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByEvent(text)
  }
}

function copyByEvent(text: string): boolean {
  let isTaken = false
  const take = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    isTaken = event.clipboardData !== null
  }
  document.addEventListener('copy', take)
  // Deprecated, but the only way without navigator.clipboard, and every browser still has it.
  const isDone = document.execCommand('copy')
  document.removeEventListener('copy', take)
  return isDone && isTaken
}
